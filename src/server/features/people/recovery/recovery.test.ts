import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { hashSecretToken } from '../../../domain/secret-token'
import { MailError, type Mailer } from '../../../mail/mailer'
import {
  ADDRESS,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from '../accounts/accounts'
import { updatePerson } from '../accounts/persons.queries'
import type { UserRecord } from '../accounts/users.queries'
import { openPasswordLink, requestPasswordLink, setPasswordByLink } from './recovery'

const NEW = 'a new password'
type Mail = Parameters<Mailer['send']>[0]

let deps: TestDeps
let supplier: UserRecord
let mails: Mail[]
let isRefusing = false
const mail: Mailer = {
  send: async (sent) => {
    if (isRefusing) throw new MailError('refused')
    mails.push(sent)
  },
  check: async () => undefined,
  close: () => undefined,
}

beforeEach(async () => {
  mails = []
  isRefusing = false
  deps = await openTestDeps({}, { mail })
  supplier = await createSupplierUser(deps)
  await confirm(supplier, 'me@acme.example')
})
afterEach(() => deps.close())

const confirm = ({ id: userId }: UserRecord, address: string) =>
  deps.db
    .insertInto('mailAddresses')
    .values({ userId, address, pendingAddress: null, tokenHash: null, tokenExpiresAt: null })
    .execute()
const request = async (name: string, client = ADDRESS) => {
  await requestPasswordLink(deps, { login: name }, client)
  await deps.work()
}
const tokens = () => mails.flatMap(({ text }) => /#token=([\w-]{43})/.exec(text)?.[1] ?? [])
const setNew = (token = '') => setPasswordByLink(deps, { token, newPassword: NEW }, ADDRESS)
const signIn = (password: string, user = supplier) =>
  login(deps, { username: user.username, password }, ADDRESS)
const isDead = {
  code: 'NOT_FOUND',
  message: expect.stringContaining('Ask for a new one') as string,
}

describe('a forgotten password', () => {
  it.each([
    ['the username, in any case', () => supplier.username.toUpperCase()],
    ['the confirmed address, in any case', () => 'ME@acme.example'],
  ])('is set anew through a mail that is asked for with %s', async (_what, name) => {
    await request(name())
    expect(mails).toMatchObject([{ to: 'me@acme.example' }])
    const [token] = tokens()
    expect(await openPasswordLink(deps, token!, ADDRESS)).toEqual({ username: supplier.username })
    await setNew(token)
    await expect(signIn(PASSWORD)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' })
    expect(await signIn(NEW)).toMatchObject({ id: supplier.id })
  })

  it('of a member is that member’s, whatever the company’s own is', async () => {
    const member = await createMember(deps, supplier, 'VIEWER')
    await confirm(member, 'you@acme.example')
    await request('you@acme.example')
    await setNew(tokens()[0])
    expect(await signIn(NEW, member)).toMatchObject({ id: supplier.id, person: { id: member.id } })
    expect(await signIn(PASSWORD)).toMatchObject({ id: supplier.id })
  })

  it('ends all sessions, is told by mail, and recorded', async () => {
    const { sessionEpoch } = await signIn(PASSWORD)
    await request(supplier.username)
    await setNew(tokens()[0])
    await deps.work()
    expect((await signIn(NEW)).sessionEpoch).toBe(sessionEpoch + 1)
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('A new password for'),
      expect.stringContaining('was changed'),
    ])
    const entries = await deps.db
      .selectFrom('auditEntries')
      .selectAll()
      .where('action', '=', 'user.recover-password')
      .execute()
    expect(entries).toMatchObject([{ actorId: supplier.id, subjectId: supplier.id }])
  })
})

describe('the link of such a mail', () => {
  it('works once, also when it is used twice at once', async () => {
    await request(supplier.username)
    const [token] = tokens()
    const results = await Promise.allSettled([setNew(token), setNew(token)])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(setNew(token)).rejects.toMatchObject(isDead)
  })

  it('works for an hour', async () => {
    await request(supplier.username)
    deps.clock.advance(HOUR_MS)
    await expect(openPasswordLink(deps, tokens()[0]!, ADDRESS)).rejects.toMatchObject(isDead)
    await expect(setNew(tokens()[0])).rejects.toMatchObject(isDead)
  })

  it('works beside later ones, so that nobody can end it by asking, and ends with the first that is used', async () => {
    await request(supplier.username)
    await request(supplier.username, '203.0.113.9')
    const [first, second] = tokens()
    await setNew(first)
    await expect(setNew(second)).rejects.toMatchObject(isDead)
  })

  it('does not work for somebody whose access was taken away', async () => {
    await request(supplier.username)
    await inTransaction(deps.db, (trx) => updatePerson(trx, supplier.id, { isActive: false }))
    await expect(setNew(tokens()[0])).rejects.toMatchObject(isDead)
  })

  it('is stored as a hash only', async () => {
    await request(supplier.username)
    const [row] = await deps.db.selectFrom('accountMails').selectAll().execute()
    expect(row?.tokenHash).toBe(hashSecretToken(tokens()[0]!))
  })
})

describe('asking for a link', () => {
  it('sends nothing to an address that is not confirmed', async () => {
    const other = await createSupplierUser(deps)
    await request(other.username)
    await request(other.contactEmail!)
    expect(mails).toEqual([])
  })

  it('sends nothing for a first login that was closed', async () => {
    const closed = { passwordHash: null, googleIssuer: null, googleUid: null }
    await deps.db.updateTable('users').set(closed).where('id', '=', supplier.id).execute()
    await request(supplier.username)
    expect(mails).toEqual([])
  })

  it('is refused where no mail is sent', async () => {
    deps.mail = null
    await expect(request(supplier.username)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('is tried again when the mail server refuses, with another link', async () => {
    isRefusing = true
    await request(supplier.username)
    isRefusing = false
    await deps.work()
    expect(mails).toEqual([])
    deps.clock.advance(4 * 60_000)
    await deps.work()
    await setNew(tokens()[0])
    expect(await signIn(NEW)).toMatchObject({ id: supplier.id })
  })
})
