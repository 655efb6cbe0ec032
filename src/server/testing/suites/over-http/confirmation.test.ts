import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import type { Mailer } from '../../../mail/mailer'
import { createAdmin, createSupplierUser, PASSWORD } from '../../fixtures/factories'
import { putPasskey } from '../../fixtures/passkeys'
import { putBackup } from '../../fixtures/stock'
import { PERSON, startOidcIssuer, type OidcIssuer } from '../../servers/oidc-issuer'
import { beginSignIn, endSignIn, postIdentity } from '../../stages/google-window'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

const mail: Mailer = {
  send: async () => undefined,
  check: async () => undefined,
  close: () => undefined,
}

let issuer: OidcIssuer
let testApp: TestApp
let admin: Client

beforeAll(async () => {
  issuer = await startOidcIssuer()
})
afterAll(() => issuer.close())
beforeEach(async () => {
  testApp = await openTestApp({ oidc: issuer.settings }, { mail })
  admin = await testApp.signIn(await createAdmin(testApp.deps))
})
afterEach(() => testApp.close())

const confirm = (client: Client, password = PASSWORD) =>
  client.request('POST', '/api/confirmation', { password })
const check = async (client: Client) => (await client.call('query', 'confirmation.check')).status
const tooLate = () => testApp.deps.clock.advance(10 * MINUTE_MS)
const backupUrl = async () => {
  const { body } = await admin.request('GET', '/api/admin/backup-files')
  return (body as { downloadUrl: string }[])[0]!.downloadUrl
}

/** Everything for which a person has to confirm to be there. */
const CALLS: [string, (client: Client) => Promise<{ status: number; body: unknown }>][] = [
  [
    'entering an e-mail address',
    (client) => client.call('mutation', 'alerts.setAddress', { address: 'me@acme.example' }),
  ],
  ['removing the e-mail address', (client) => client.call('mutation', 'alerts.removeAddress')],
  [
    'ending a session',
    async (client) => {
      const { body } = await client.request('GET', '/api/sessions')
      const [{ id: session }] = body as [{ id: string }]
      return client.call('mutation', 'sessions.end', { session })
    },
  ],
  ['signing out everywhere else', (client) => client.call('mutation', 'sessions.endOthers', {})],
  [
    'View as',
    async (client) => {
      const { id: userId } = await createSupplierUser(testApp.deps)
      return client.call('mutation', 'viewings.begin', { userId })
    },
  ],
  ['the download of a backup', async (client) => client.request('GET', await backupUrl())],
  ['adding a passkey', (client) => client.call('mutation', 'passkeys.prepare')],
  [
    'removing a passkey',
    async (client) => {
      const { id: userId } = await testApp.deps.db
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'SUPER_ADMIN')
        .executeTakeFirstOrThrow()
      const { rowId: id } = await putPasskey(testApp.deps, userId)
      await testApp.deps.db
        .deleteFrom('auditEntries')
        .where('action', '=', 'user.add-passkey')
        .execute()
      return client.call('mutation', 'passkeys.remove', { id })
    },
  ],
  [
    'changing the sign-in rules',
    (client) =>
      client.call('mutation', 'signInRules.change', {
        graceDays: { SUPER_ADMIN: null, SUPPLIER: null, RETAILER: null },
        passwordMinLength: 8,
        isCommonRefused: true,
      }),
  ],
  [
    'restoring a backup',
    async (client) => {
      const [backup] = await testApp.deps.backups.list()
      const { name = '' } = backup ?? {}
      return client.call('mutation', 'restores.begin', { fileName: `${name}.tar`, typedName: name })
    },
  ],
  ['what comes before that download', (client) => client.call('query', 'confirmation.check')],
]

describe.each(CALLS)('%s', (what, call) => {
  beforeEach(() => putBackup(testApp.deps, 'backup'))

  it('is refused without a confirmation, with a code for programs, and changes nothing', async () => {
    tooLate()
    const { status, body } = await call(admin)
    expect(status).toBe(403)
    const message = 'Confirm first that it is you'
    expect(body).toMatchObject(
      what === 'the download of a backup'
        ? { message, code: 'confirmation_required' }
        : { error: { message, data: { code: 'FORBIDDEN', reason: 'confirmation_required' } } },
    )
    const { db } = testApp.deps
    expect(await db.selectFrom('viewings').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('mailAddresses').selectAll().execute()).toEqual([])
    const entries = await db.selectFrom('auditEntries').select('action').execute()
    expect(entries.map(({ action }) => action)).toEqual(['user.sign-in'])
  })

  it('is possible once the password was typed', async () => {
    tooLate()
    expect((await confirm(admin)).status).toBe(200)
    expect((await call(admin)).status).toBe(200)
  })
})

it('the size of a backup is not told without a confirmation', async () => {
  await putBackup(testApp.deps, 'backup')
  const url = await backupUrl()
  tooLate()
  expect((await admin.request('HEAD', url)).status).toBe(403)
})

describe('a confirmation', () => {
  it('is a sign-in with the password, for ten minutes', async () => {
    testApp.deps.clock.advance(10 * MINUTE_MS - 1)
    expect(await check(admin)).toBe(200)
    testApp.deps.clock.advance(1)
    expect(await check(admin)).toBe(403)
  })

  it('is valid for ten minutes, in its session only, and recorded', async () => {
    const there = testApp.client()
    const { username } = await testApp.deps.db
      .selectFrom('users')
      .select('username')
      .executeTakeFirstOrThrow()
    await there.request('POST', '/api/login', { username, password: PASSWORD })
    tooLate()
    await confirm(there)
    expect([await check(there), await check(admin)]).toEqual([200, 403])
    testApp.deps.clock.advance(10 * MINUTE_MS - 1)
    expect(await check(there)).toBe(200)
    testApp.deps.clock.advance(1)
    expect(await check(there)).toBe(403)
    const entries = await testApp.deps.db.selectFrom('auditEntries').select('action').execute()
    expect(entries.filter(({ action }) => action === 'user.confirm')).toHaveLength(1)
  })

  it('is not the future of a clock that was ahead', async () => {
    testApp.deps.clock.advance(-MINUTE_MS)
    expect(await check(admin)).toBe(403)
  })

  it('needs the right password, and wrong ones are limited as at a sign-in', async () => {
    tooLate()
    for (let count = 0; count < 5; count += 1) {
      const { status, body } = await confirm(admin, 'wrong')
      expect([status, body]).toEqual([400, { message: 'This is not your password' }])
    }
    expect([(await confirm(admin)).status, await check(admin)]).toEqual([429, 403])
    testApp.deps.clock.advance(HOUR_MS)
    expect([(await confirm(admin)).status, await check(admin)]).toEqual([200, 200])
  })
})

describe('without a password', () => {
  let person: Client
  beforeEach(async () => {
    person = testApp.client()
    await endSignIn(person, issuer.answer(await beginSignIn(person)))
    await postIdentity(person)
  })

  const begin = async (query = '&confirms=') => beginSignIn(person, `one${query}`)
  const finish = () => person.call('mutation', 'confirmation.byGoogle')

  it('nobody is confirmed by a sign-in with Google, which may have asked for nothing', async () => {
    expect(await check(person)).toBe(403)
    expect((await confirm(person)).status).toBe(400)
  })

  it('somebody signs in with Google anew', async () => {
    const url = new URL(await begin())
    expect([url.searchParams.get('prompt'), url.searchParams.get('max_age')]).toEqual([
      'login',
      '0',
    ])
    await endSignIn(person, issuer.answer(url.href))
    expect([(await finish()).status, await check(person)]).toEqual([200, 200])
    expect((await finish()).status).toBe(400)
  })

  it('a sign-in that was not asked for anew does not confirm, and one that was signs nobody in', async () => {
    await endSignIn(person, issuer.answer(await begin('')))
    expect((await finish()).status).toBe(400)
    await endSignIn(person, issuer.answer(await begin()))
    expect((await postIdentity(person)).status).toBe(401)
  })

  it('who was signed in there earlier is refused, where the provider tells when', async () => {
    const earlier = Math.floor((testApp.deps.clock.now() - 2 * MINUTE_MS) / 1_000)
    const answer = issuer.answer(await begin(), { claims: { auth_time: earlier } })
    expect((await endSignIn(person, answer)).report).toMatchObject({
      error: 'You were signed in at the identity provider already. Sign in there anew.',
    })
    expect([(await finish()).status, await check(person)]).toEqual([400, 403])
  })

  it('an account is deleted by its username only once that is confirmed', async () => {
    const { body } = await person.request('GET', '/api/user')
    const { username } = body as { username: string }
    const remove = () =>
      person.call('mutation', 'personalData.deleteAccount', { confirmation: username })
    expect((await remove()).body).toMatchObject({
      error: { data: { reason: 'confirmation_required' } },
    })
    await endSignIn(person, issuer.answer(await begin()))
    await finish()
    expect((await remove()).status).toBe(200)
  })

  it('nobody is confirmed by somebody else’s account there', async () => {
    await endSignIn(person, issuer.answer(await begin(), { claims: { sub: `${PERSON.sub}0` } }))
    const { status, text } = await finish()
    expect([status, text]).toEqual([
      400,
      expect.stringContaining('not the Google account that you sign in with') as string,
    ])
    expect(await check(person)).toBe(403)
  })
})
