import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createSupplierUser } from '../../../testing/fixtures/factories'
import { createKeptMails, type SentMail } from '../../../testing/fixtures/kept-mails'
import { recordStatements } from '../../../testing/stages/record-statements'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../accounts/users.queries'
import { openPasswordLink, requestPasswordLink, setPasswordByLink } from './recovery'

const HOME = '198.51.100.1'
const MAILBOX = 'me@acme.example'

let deps: TestDeps
let person: UserRecord
let mails: SentMail[]

beforeEach(async () => {
  const { mail, ...kept } = createKeptMails()
  mails = kept.mails
  deps = await openTestDeps({}, { mail })
  person = await createSupplierUser(deps)
  const { id: userId } = person
  await deps.db
    .insertInto('mailAddresses')
    .values({
      userId,
      address: MAILBOX,
      pendingAddress: null,
      tokenHash: null,
      tokenExpiresAt: null,
    })
    .execute()
  await deps.db
    .insertInto('knownAddresses')
    .values({ userId, address: HOME, seenAt: deps.clock.now() })
    .execute()
})
afterEach(() => deps.close())

const client = (count: number) => `203.0.113.${count}`

/** What is answered: nothing, or the code of the error. */
const ask = (login: string, from: string): Promise<string> =>
  requestPasswordLink(deps, { login }, from).then(
    () => 'asked',
    (error: unknown) => (error as { code: string }).code,
  )
async function askOften(login: string, clients: readonly string[]): Promise<string[]> {
  const answers: string[] = []
  for (const from of clients) answers.push(await ask(login, from))
  return answers
}
const many = (count: number, toClient: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => toClient(index))

describe('asking for a link for a new password', () => {
  it.each([
    ['from where the person has signed in before', () => HOME],
    ['from one address', () => '192.0.2.9'],
    ['from many addresses', client],
  ])('is answered the same for a known and an unknown name %s', async (_where, toClient) => {
    const clients = many(25, toClient)
    const known = await askOften(person.username, clients)
    deps.clock.advance(60 * 60_000)
    const unknown = await askOften('nobody', clients)
    expect(known).toEqual(unknown)
    expect(known.slice(0, 20)).toEqual(Array(20).fill('asked'))
  })

  it.each([
    ['from where the person has signed in before', HOME],
    ['from elsewhere', client(1)],
  ])('costs the same statements for a known and an unknown name %s', async (_where, from) => {
    deps.queue.add = async () => undefined
    deps.limits.recoverAccount = { ...deps.limits.recoverAccount, max: 1 }
    const statements: Record<string, string[]> = {}
    // The first use of a statement prepares it, which is recorded too.
    const preparing = 'somebody'
    for (const login of [preparing, person.username, MAILBOX, 'nobody', 'nobody@acme.example']) {
      const recorded: string[] = []
      const db = recordStatements(deps.db, recorded)
      await requestPasswordLink({ ...deps, db }, { login }, from)
      // Beyond the limit of the account, too.
      await requestPasswordLink({ ...deps, db }, { login }, from)
      statements[login] = recorded
      await deps.db.deleteFrom('attempts').execute()
    }
    delete statements[preparing]
    const [first = [], ...others] = Object.values(statements)
    expect(first.length).toBeGreaterThan(10)
    for (const other of others) expect(other).toEqual(first)
  })

  it('leaves rows that differ by nothing but the person', async () => {
    deps.queue.add = async () => undefined
    await ask('nobody', HOME)
    await ask(person.username, HOME)
    const rows = await deps.db.selectFrom('accountMails').selectAll().orderBy('id').execute()
    const { id: _id, userId: unknown, ...ofNobody } = rows[0]!
    const { id: _other, userId: known, ...ofSomebody } = rows[1]!
    expect([unknown, known]).toEqual([null, person.id])
    expect(ofNobody).toEqual(ofSomebody)
  })

  it('sends five links an hour to one person, whatever is typed and wherever, and more where the person is known', async () => {
    await askOften(person.username, many(4, client))
    await askOften(MAILBOX, many(4, client))
    await deps.work()
    expect(mails).toHaveLength(5)
    await ask(person.username, HOME)
    await deps.work()
    expect(mails).toHaveLength(6)
    deps.clock.advance(60 * 60_000)
    await ask(person.username, client(1))
    await deps.work()
    expect(mails).toHaveLength(7)
  })

  it('sends so many links in all, and beyond them only where the person is known', async () => {
    deps.limits.recoverAny = { ...deps.limits.recoverAny, max: 2 }
    await ask('one', client(1))
    await ask('two', client(2))
    expect(await ask(person.username, client(3))).toBe('asked')
    await deps.work()
    expect(mails).toEqual([])
    await ask(person.username, HOME)
    await deps.work()
    expect(mails).toHaveLength(1)
  })
})

describe('guessing links for a new password', () => {
  const wrong = 'x'.repeat(43)
  const open = (token: string, from: string) => openPasswordLink(deps, token, from)
  const set = (token: string, from: string) =>
    setPasswordByLink(deps, { token, newPassword: 'a new password' }, from)

  async function askForToken(): Promise<string> {
    await ask(person.username, HOME)
    await deps.work()
    return /#token=([\w-]{43})/.exec(mails.at(-1)?.text ?? '')![1]!
  }

  it.each([
    ['opening', open],
    ['setting a password by', set],
  ])('is limited by client address, by %s them', async (_what, guess) => {
    const token = await askForToken()
    for (let count = 0; count < 30; count += 1) {
      await expect(guess(wrong, client(1))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    // Nor is a right one looked at.
    await expect(guess(token, client(1))).rejects.toMatchObject({ code: 'THROTTLED' })
    expect(await open(token, client(2))).toEqual({ username: person.username })
  })

  it('is limited in all, without keeping anybody from a link that works', async () => {
    deps.limits.openLinks = { ...deps.limits.openLinks, max: 2 }
    const token = await askForToken()
    for (const count of [1, 2]) {
      await expect(open(wrong, client(count))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
    await expect(open(wrong, client(3))).rejects.toMatchObject({ code: 'THROTTLED' })
    expect(await open(token, client(3))).toEqual({ username: person.username })
    expect(await set(token, client(3))).toEqual({ username: person.username })
  })
})
