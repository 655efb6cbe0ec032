import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { cancelUnfinishedWork } from '../../../db/restored.queries'
import {
  ADDRESS,
  createAdmin,
  createMember,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { putPasskey, TEST_ORIGIN } from '../../../testing/fixtures/passkeys'
import { putSecondFactor } from '../../../testing/fixtures/second-factors'
import { takeSnapshot } from '../../../testing/fixtures/snapshot'
import { createSoftwarePasskey, type Deviation } from '../../../testing/fixtures/software-passkey'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listNotifications } from '../../alerting/alerts/notifications'
import { saveAdmin } from '../accounts/administrators'
import { findActor } from '../accounts/find-actor'
import { rememberAddress } from '../accounts/login-attempts'
import { findSession } from '../accounts/sessions.queries'
import type { UserRecord } from '../accounts/users.queries'
import { removePerson, setPersonActive } from '../company-people/company-people'
import { confirmByPasskey, prepareByPasskey } from '../confirmation/confirm-by-passkey'
import { turnOffForPerson } from '../second-factor/turn-off-for-person'
import { CHALLENGE_MS } from './challenges'
import { addPasskey, listPasskeys, preparePasskey, removePasskey, renamePasskey } from './passkeys'
import { prepareSignIn, signInByPasskey } from './sign-in-by-passkey'

type Device = Awaited<ReturnType<typeof putPasskey>>

const OVER = 'This took too long, or was answered already. Try again.'
const UNKNOWN = 'This passkey does not sign in here'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
})
afterEach(() => deps.close())

const actorOf = async ({ id }: { id: number }) => (await findActor(deps.db, id))!
const listTitles = async (user = supplier) =>
  (await listNotifications(deps, user)).notifications.map(({ title }) => title)
const fromSession = async (user = supplier) => ({
  sessionIdHash: await createSession(deps, user),
  calledAt: TEST_ORIGIN,
})
const listOwn = async (user = supplier, calledAt = TEST_ORIGIN) =>
  listPasskeys(deps, await actorOf(user), { sessionIdHash: 'none', calledAt })
const countRows = async () => (await deps.db.selectFrom('passkeys').selectAll().execute()).length

async function signIn(device: Device, deviation?: Deviation, username?: string) {
  // Each question is of a later time than those before.
  deps.clock.advance(1)
  const answer = device.answer(await prepareSignIn(deps, TEST_ORIGIN), deviation)
  const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
  return signInByPasskey(deps, { answer, username }, from)
}

describe('a passkey', () => {
  it('is added in the session that has asked for it, and told', async () => {
    await putPasskey(deps, supplier.id, 'Laptop')
    expect(await listOwn()).toEqual({
      origin: TEST_ORIGIN,
      program: null,
      passkeys: [
        {
          id: expect.any(Number) as number,
          name: 'Laptop',
          otherHost: null,
          createdAt: expect.any(String) as string,
          lastUsedAt: null,
        },
      ],
    })
    expect(await listTitles()).toEqual(['The passkey Laptop was added'])
  })

  it('is made by a device that checks who is there, and finds its person by itself', async () => {
    const setup = await preparePasskey(deps, supplier, await fromSession())
    expect(setup).toMatchObject({
      rp: { id: 'localhost', name: deps.config.appName },
      user: { name: supplier.username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(setup.user.id).toMatch(/^[\w-]{43}$/)
  })

  it.each<[string, Deviation]>([
    ['from the page of somebody else', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['by a device that has not checked who is there', { isUnverified: true }],
  ])('is not added when it was made %s', async (_how, deviation) => {
    const from = await fromSession()
    const device = createSoftwarePasskey(TEST_ORIGIN)
    const made = device.make(await preparePasskey(deps, supplier, from), deviation)
    await expect(addPasskey(deps, supplier, { name: 'One', made }, from)).rejects.toMatchObject({
      code: 'INVALID',
      message: 'This passkey cannot be used here',
    })
    expect(await countRows()).toBe(0)
  })

  it('is not added in another session, by somebody else, or after five minutes', async () => {
    const from = await fromSession()
    const made = createSoftwarePasskey(TEST_ORIGIN).make(await preparePasskey(deps, supplier, from))
    const other = await createSupplierUser(deps)
    const add = async (user = supplier, at = from) =>
      addPasskey(deps, user, { name: 'One', made }, at)
    await expect(add(supplier, await fromSession())).rejects.toThrow(OVER)
    await expect(add(other)).rejects.toThrow(OVER)
    deps.clock.advance(CHALLENGE_MS)
    await expect(add()).rejects.toThrow(OVER)
    expect(await countRows()).toBe(0)
  })

  it('is not added in a session that has ended meanwhile', async () => {
    const from = await fromSession()
    const made = createSoftwarePasskey(TEST_ORIGIN).make(await preparePasskey(deps, supplier, from))
    await deps.db.deleteFrom('sessions').execute()
    await expect(addPasskey(deps, supplier, { name: 'One', made }, from)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    })
  })

  it('is added once, also when it is sent twice at once', async () => {
    const from = await fromSession()
    const made = createSoftwarePasskey(TEST_ORIGIN).make(await preparePasskey(deps, supplier, from))
    const added = await Promise.allSettled(
      ['One', 'Two'].map((name) => addPasskey(deps, supplier, { name, made }, from)),
    )
    expect(added.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await countRows()).toBe(1)
  })

  it('is one of ten at most', async () => {
    for (let count = 0; count < 10; count += 1) await putPasskey(deps, supplier.id)
    const from = await fromSession()
    await expect(preparePasskey(deps, supplier, from)).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    })
  })

  it('is one that the device does not have yet', async () => {
    const { id } = await putPasskey(deps, supplier.id)
    const { excludeCredentials } = await preparePasskey(deps, supplier, await fromSession())
    expect(excludeCredentials).toEqual([
      { id, type: 'public-key', transports: ['hybrid', 'internal'] },
    ])
  })

  it('is renamed, and removed, by its person only, who is told of the removal', async () => {
    const { rowId: id } = await putPasskey(deps, supplier.id)
    const other = await createSupplierUser(deps)
    const gone = { code: 'NOT_FOUND' }
    await expect(renamePasskey(deps, other, { id, name: 'Mine' })).rejects.toMatchObject(gone)
    await expect(removePasskey(deps, other, id)).rejects.toMatchObject(gone)
    await renamePasskey(deps, supplier, { id, name: 'Phone' })
    expect((await listOwn()).passkeys).toMatchObject([{ name: 'Phone' }])
    await removePasskey(deps, supplier, id)
    await expect(removePasskey(deps, supplier, id)).rejects.toMatchObject(gone)
    expect(await listOwn()).toMatchObject({ passkeys: [] })
    expect(await listTitles()).toContain('The passkey Phone was removed')
  })
})

describe('where passkeys work', () => {
  const at = async (publicUrl: string | undefined, calledAt: string) => {
    Object.assign(deps.config, { publicUrl })
    return (await listOwn(supplier, calledAt)).origin
  }

  it('is at the address of the product, or at localhost, by whichever port it is called', async () => {
    expect(await at('https://stock.example', 'http://localhost:5000')).toBe('https://stock.example')
    expect(await at(undefined, 'http://localhost:5000')).toBe('http://localhost:5000')
    expect(await at('http://localhost:8080', 'http://localhost:5000')).toBe('http://localhost:8080')
  })

  it.each([
    [undefined, 'http://192.168.1.5:5000'],
    [undefined, 'https://[2001:db8::1]'],
    [undefined, 'http://'],
    ['https://192.168.1.5', 'http://localhost'],
    ['http://stock.example', 'http://localhost'],
  ])('is nowhere at %s, called at %s', async (publicUrl, calledAt) => {
    expect(await at(publicUrl, calledAt)).toBeNull()
    await expect(prepareSignIn(deps, calledAt)).rejects.toMatchObject({
      code: 'NOT_CONFIGURED',
      message: expect.stringContaining('PUBLIC_URL') as string,
    })
  })

  it('is said of one that was made for an earlier address', async () => {
    await putPasskey(deps, supplier.id)
    Object.assign(deps.config, { publicUrl: 'https://stock.example' })
    expect((await listOwn()).passkeys).toMatchObject([{ otherHost: 'localhost' }])
  })
})

describe('a sign-in by passkey', () => {
  it('needs neither password nor code', async () => {
    const device = await putPasskey(deps, supplier.id)
    await putSecondFactor(deps, supplier.id)
    expect(await signIn(device)).toMatchObject({ id: supplier.id })
    expect((await listOwn()).passkeys).toMatchObject([{ lastUsedAt: expect.any(String) as string }])
  })

  it('is that of a member for its company', async () => {
    const member = await createMember(deps, supplier, 'VIEWER')
    const device = await putPasskey(deps, member.id)
    expect(await signIn(device)).toMatchObject({ id: supplier.id, person: { id: member.id } })
  })

  it.each<[string, Deviation]>([
    ['from the page of somebody else', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['by a device that has not checked who is there', { isUnverified: true }],
    ['for another person', { userHandle: 'AAAA' }],
  ])('is refused with an answer %s', async (_how, deviation) => {
    const device = await putPasskey(deps, supplier.id)
    await expect(signIn(device, deviation)).rejects.toThrow(UNKNOWN)
  })

  it('is refused with a signature of another passkey, and with one that was removed', async () => {
    const device = await putPasskey(deps, supplier.id)
    const other = await putPasskey(deps, supplier.id)
    const swapped = { ...other.answer(await prepareSignIn(deps, TEST_ORIGIN)), id: device.id }
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    const answer = { ...swapped, rawId: device.id }
    await expect(signInByPasskey(deps, { answer }, from)).rejects.toThrow(UNKNOWN)
    await removePasskey(deps, supplier, device.rowId)
    await expect(signIn(device)).rejects.toThrow(UNKNOWN)
  })

  it('is refused for a challenge of five minutes ago, and for one that nobody made', async () => {
    const device = await putPasskey(deps, supplier.id)
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    const answer = device.answer(await prepareSignIn(deps, TEST_ORIGIN))
    deps.clock.advance(CHALLENGE_MS)
    await expect(signInByPasskey(deps, { answer }, from)).rejects.toThrow(OVER)
    const madeUp = device.answer({ challenge: 'made-up', rpId: 'localhost' })
    await expect(signInByPasskey(deps, { answer: madeUp }, from)).rejects.toThrow(OVER)
  })

  it('is refused for what was asked to confirm or to add', async () => {
    const device = await putPasskey(deps, supplier.id)
    const at = await fromSession()
    const question = await prepareByPasskey(deps, supplier, at)
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    await expect(signInByPasskey(deps, { answer: device.answer(question) }, from)).rejects.toThrow(
      OVER,
    )
    const { challenge } = await preparePasskey(deps, supplier, at)
    const answer = device.answer({ challenge, rpId: 'localhost' })
    await expect(signInByPasskey(deps, { answer }, from)).rejects.toThrow(OVER)
  })

  it('works once with an answer that is sent three times at once', async () => {
    const device = await putPasskey(deps, supplier.id)
    deps.clock.advance(1)
    const answer = device.answer(await prepareSignIn(deps, TEST_ORIGIN))
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    const done = await Promise.allSettled(
      [1, 2, 3].map(() => signInByPasskey(deps, { answer }, from)),
    )
    expect(done.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(await listTitles()).toEqual(['The passkey Laptop was added'])
  })

  it('works once also by a passkey that does not count', async () => {
    const device = await putPasskey(deps, supplier.id)
    deps.clock.advance(1)
    const question = await prepareSignIn(deps, TEST_ORIGIN)
    const answer = device.answer(question, { useCount: 0 })
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    await signInByPasskey(deps, { answer }, from)
    await expect(signInByPasskey(deps, { answer }, from)).rejects.toThrow(OVER)
    await expect(signIn(device, { useCount: 0 })).resolves.toMatchObject({ id: supplier.id })
  })

  it('works again after the clock was far ahead', async () => {
    const device = await putPasskey(deps, supplier.id)
    deps.clock.advance(60 * MINUTE_MS)
    await signIn(device)
    deps.clock.advance(-60 * MINUTE_MS)
    await expect(signIn(device)).resolves.toMatchObject({ id: supplier.id })
  })

  it('is refused by one that counts back, as a copy does, which is told', async () => {
    const device = await putPasskey(deps, supplier.id)
    await signIn(device, { useCount: 7 })
    for (const useCount of [7, 6, 0]) {
      await expect(signIn(device, { useCount })).rejects.toThrow(UNKNOWN)
    }
    expect((await listTitles())[0]).toBe('The passkey Laptop was refused')
    await expect(signIn(device, { useCount: 8 })).resolves.toMatchObject({ id: supplier.id })
  })

  it('is refused to who is deactivated', async () => {
    const member = await createMember(deps, supplier, 'VIEWER')
    const device = await putPasskey(deps, member.id)
    await setPersonActive(deps, supplier, { personId: member.id, isActive: false })
    await expect(signIn(device)).rejects.toThrow(UNKNOWN)
  })

  it('in place of a code is that of the person whose password was right', async () => {
    const device = await putPasskey(deps, supplier.id)
    await expect(signIn(device, {}, 'somebody')).rejects.toThrow('of another account')
    const typed = ` ${supplier.username.toUpperCase()}`
    await expect(signIn(device, {}, typed)).resolves.toMatchObject({ id: supplier.id })
  })

  it('is throttled after wrong answers with one passkey, but with no other', async () => {
    const device = await putPasskey(deps, supplier.id)
    const other = await putPasskey(deps, (await createSupplierUser(deps)).id)
    const wrong = { isUnverified: true }
    for (let count = 0; count < 5; count += 1) {
      await expect(signIn(device, wrong)).rejects.toThrow(UNKNOWN)
    }
    await expect(signIn(device)).rejects.toMatchObject({ code: 'THROTTLED' })
    await expect(signIn(other)).resolves.toBeDefined()
    deps.clock.advance(MINUTE_MS)
    await expect(signIn(device)).resolves.toMatchObject({ id: supplier.id })
    await expect(signIn(device, wrong)).rejects.toThrow(UNKNOWN)
  })
})

describe('wrong answers of passkeys', () => {
  const wrong = { isUnverified: true }
  const signInFrom = async (device: Device, address: string, deviation?: Deviation) => {
    deps.clock.advance(1)
    const answer = device.answer(await prepareSignIn(deps, TEST_ORIGIN), deviation)
    return signInByPasskey(deps, { answer }, { address, calledAt: TEST_ORIGIN })
  }

  it('are at most 20 of one passkey from all addresses, and keep nobody out at a known one', async () => {
    const device = await putPasskey(deps, supplier.id)
    await rememberAddress(deps, supplier.id, ADDRESS)
    for (let count = 0; count < 20; count += 1) {
      const address = `203.0.113.${Math.floor(count / 5)}`
      await expect(signInFrom(device, address, wrong)).rejects.toThrow(UNKNOWN)
    }
    await expect(signInFrom(device, '203.0.113.50')).rejects.toMatchObject({ code: 'THROTTLED' })
    await expect(signInFrom(device, ADDRESS)).resolves.toMatchObject({ id: supplier.id })
  })

  it('are bounded by address, also of passkeys that nobody has', async () => {
    deps.limits.loginAtAddress = { max: 3, windowMs: MINUTE_MS }
    const device = await putPasskey(deps, supplier.id)
    for (let count = 0; count < 3; count += 1) {
      const { answer } = createSoftwarePasskey(TEST_ORIGIN)
      const input = { answer: answer(await prepareSignIn(deps, TEST_ORIGIN)) }
      const from = { address: '203.0.113.1', calledAt: TEST_ORIGIN }
      await expect(signInByPasskey(deps, input, from)).rejects.toThrow(UNKNOWN)
    }
    await expect(signInFrom(device, '203.0.113.1')).rejects.toMatchObject({ code: 'THROTTLED' })
    await expect(signInFrom(device, '203.0.113.2')).resolves.toMatchObject({ id: supplier.id })
  })

  it('are no matter of questions: however many are asked, none is stored, and the first one is answered', async () => {
    const device = await putPasskey(deps, supplier.id)
    deps.clock.advance(1)
    const answer = device.answer(await prepareSignIn(deps, TEST_ORIGIN))
    const read = async () => [
      await takeSnapshot(deps.db),
      await deps.db.selectFrom('attempts').selectAll().execute(),
    ]
    const before = await read()
    for (let count = 0; count < 100; count += 1) await prepareSignIn(deps, TEST_ORIGIN)
    expect(await read()).toEqual(before)
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    await expect(signInByPasskey(deps, { answer }, from)).resolves.toMatchObject({
      id: supplier.id,
    })
  })
})

describe('a confirmation by passkey', () => {
  const isConfirmed = async (sessionIdHash: string) =>
    (await findSession(deps.db, sessionIdHash, deps.clock.now()))?.confirmedAt !== null

  it('counts in the session that has asked', async () => {
    const device = await putPasskey(deps, supplier.id)
    deps.clock.advance(1)
    const from = await fromSession()
    const question = await prepareByPasskey(deps, supplier, from)
    expect(question.allowCredentials).toMatchObject([{ id: device.id }])
    const answer = device.answer(question)
    await expect(confirmByPasskey(deps, supplier, answer, await fromSession())).rejects.toThrow(
      OVER,
    )
    await confirmByPasskey(deps, supplier, answer, from)
    expect(await isConfirmed(from.sessionIdHash)).toBe(true)
    await expect(confirmByPasskey(deps, supplier, answer, from)).rejects.toThrow(OVER)
  })

  it('takes no passkey of somebody else, and is throttled after five wrong ones', async () => {
    await putPasskey(deps, supplier.id)
    const other = await putPasskey(deps, (await createSupplierUser(deps)).id)
    const from = await fromSession()
    for (let count = 0; count < 5; count += 1) {
      const answer = other.answer(await prepareByPasskey(deps, supplier, from))
      await expect(confirmByPasskey(deps, supplier, answer, from)).rejects.toMatchObject({
        code: 'INVALID',
        message: 'This is not one of your passkeys',
      })
    }
    const answer = other.answer(await prepareByPasskey(deps, supplier, from))
    await expect(confirmByPasskey(deps, supplier, answer, from)).rejects.toMatchObject({
      code: 'THROTTLED',
    })
    expect(await isConfirmed(from.sessionIdHash)).toBe(false)
  })

  it('is not offered without a passkey', async () => {
    await expect(prepareByPasskey(deps, supplier, await fromSession())).rejects.toMatchObject({
      code: 'INVALID',
    })
  })
})

describe('whoever has lost the passkeys', () => {
  it('has them removed with the second factor, by another owner, and is told of both', async () => {
    const member = await createMember(deps, supplier, 'VIEWER')
    await putPasskey(deps, member.id, 'Phone')
    await putPasskey(deps, member.id, 'Laptop')
    await putSecondFactor(deps, member.id)
    await turnOffForPerson(deps, supplier, { personId: member.id })
    expect(await countRows()).toBe(0)
    const titles = await listTitles(await actorOf(member))
    expect(titles.slice(0, 2)).toEqual([
      '2 passkeys were removed',
      'The second factor was turned off',
    ])
    await expect(turnOffForPerson(deps, supplier, { personId: member.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('has them removed also without a second factor', async () => {
    const member = await createMember(deps, supplier, 'VIEWER')
    await putPasskey(deps, member.id)
    await turnOffForPerson(deps, supplier, { personId: member.id })
    expect(await countRows()).toBe(0)
  })

  it('is an administrator who has them removed on the command line, if that is asked for', async () => {
    const admin = await createAdmin(deps)
    await putPasskey(deps, admin.id)
    await saveAdmin(deps, admin.username, PASSWORD)
    expect(await countRows()).toBe(1)
    await saveAdmin(deps, admin.username, PASSWORD, { isWithoutSecondFactor: true })
    expect(await countRows()).toBe(0)
    expect(await listTitles(admin)).toContain('The passkey Laptop was removed')
  })
})

describe('passkeys', () => {
  it('go with their person, and with the first login of a company that is closed', async () => {
    const owner = await createMember(deps, supplier, 'OWNER')
    const viewer = await createMember(deps, supplier, 'VIEWER')
    const device = await putPasskey(deps, supplier.id)
    await putPasskey(deps, viewer.id)
    const actor = await actorOf(owner)
    for (const { id } of [supplier, viewer]) await removePerson(deps, actor, { personId: id })
    expect(await countRows()).toBe(0)
    await expect(signIn(device)).rejects.toThrow(UNKNOWN)
  })

  it('come back with a restored backup, but no answer of before', async () => {
    const device = await putPasskey(deps, supplier.id)
    deps.clock.advance(1)
    const answer = device.answer(await prepareSignIn(deps, TEST_ORIGIN))
    await inTransaction(deps.db, (trx) => cancelUnfinishedWork(trx, deps.clock.now()))
    const from = { address: ADDRESS, calledAt: TEST_ORIGIN }
    await expect(signInByPasskey(deps, { answer }, from)).rejects.toThrow(OVER)
    await expect(signIn(device)).resolves.toMatchObject({ id: supplier.id })
  })
})
