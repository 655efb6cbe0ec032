import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import { cancelUnfinishedWork } from '../../../db/restored.queries'
import { createSecretBox } from '../../../secrets/secret-box'
import {
  ADDRESS,
  createAdmin,
  createMember,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { createKeptMails, type SentMail } from '../../../testing/fixtures/kept-mails'
import { codeAt, putSecondFactor } from '../../../testing/fixtures/second-factors'
import { openTestDeps, TEST_KEY, type TestDeps } from '../../../testing/stages/test-deps'
import { listNotifications } from '../../alerting/alerts/notifications'
import { describeMissingKeys } from '../../operations/sealing/missing-keys'
import { resealAll } from '../../operations/sealing/sealing'
import { saveAdmin } from '../accounts/administrators'
import { findActor } from '../accounts/find-actor'
import type { UserRecord } from '../accounts/users.queries'
import { removePerson } from '../company-people/company-people'
import { isRightCode } from './check-code'
import {
  getSecondFactor,
  prepareSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  turnOnSecondFactor,
} from './second-factor'
import { turnOffForPerson } from './turn-off-for-person'

let deps: TestDeps
let supplier: UserRecord
let mails: SentMail[]

beforeEach(async () => {
  const { mail, ...kept } = createKeptMails()
  mails = kept.mails
  deps = await openTestDeps({}, { mail })
  supplier = await createSupplierUser(deps)
  await deps.db
    .insertInto('mailAddresses')
    .values({ userId: supplier.id, address: 'me@acme.example' })
    .execute()
})
afterEach(() => deps.close())

const actorOf = async ({ id }: UserRecord) => (await findActor(deps.db, id))!
const isRight = (code: string, user = supplier, address = ADDRESS) =>
  isRightCode(deps, user, code, address)
const listTitles = async (user = supplier) =>
  (await listNotifications(deps, user)).notifications.map(({ title }) => title)
async function listMails() {
  await deps.work()
  return mails.map(({ to, subject }) => `${to}: ${subject}`)
}

async function turnOn(input: { password?: string; code?: string; setup?: string } = {}) {
  const { setup, key } = prepareSecondFactor(deps, supplier)
  const sessionIdHash = await createSession(deps, supplier)
  const whole = { setup, password: PASSWORD, code: codeAt(key, deps.clock.now()), ...input }
  const from = { sessionIdHash, address: ADDRESS }
  return { key, ...(await turnOnSecondFactor(deps, supplier, whole, from)) }
}

describe('a second factor', () => {
  it('is turned on with the password and a code, which ends the sessions and is told', async () => {
    const others = await createSession(deps, supplier)
    const { recoveryCodes, actor } = await turnOn()
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(recoveryCodes.every((code) => /^([a-z2-9]{4}-){5}[a-z2-9]{4}$/.test(code))).toBe(true)
    expect(actor.sessionEpoch).toBe(supplier.sessionEpoch + 1)
    const kept = await deps.db.selectFrom('sessions').select('idHash').execute()
    expect(kept.map(({ idHash }) => idHash)).not.toContain(others)
    expect(await getSecondFactor(deps, supplier)).toMatchObject({
      since: expect.any(String) as string,
      recoveryCodesLeft: 10,
    })
    expect(await listTitles()).toEqual(['The second factor was turned on'])
    expect(await listMails()).toEqual([
      `me@acme.example: The second factor was turned on: ${supplier.username} – Stockbridge`,
    ])
  })

  it.each([
    ['a wrong password', { password: 'wrong' }, { code: 'INVALID', field: 'password' }],
    ['a wrong code', { code: '1' }, { code: 'INVALID', field: 'code' }],
    ['a key of its own', { setup: 'made up' }, { code: 'INVALID' }],
  ])('is not turned on with %s', async (_what, input, refusal) => {
    await expect(turnOn(input)).rejects.toMatchObject(refusal)
    expect(await getSecondFactor(deps, supplier)).toMatchObject({ since: null })
  })

  it('is not turned on with the key of somebody else, nor with one that is an hour old', async () => {
    const other = await createSupplierUser(deps)
    const { setup, key } = prepareSecondFactor(deps, other)
    await expect(turnOn({ setup, code: codeAt(key, deps.clock.now()) })).rejects.toThrow('too long')
    const own = prepareSecondFactor(deps, supplier)
    deps.clock.advance(HOUR_MS)
    const code = codeAt(own.key, deps.clock.now())
    await expect(turnOn({ setup: own.setup, code })).rejects.toThrow('too long')
  })

  it('is one: another one is refused until it is turned off', async () => {
    await turnOn()
    await expect(turnOn()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is not for those who sign in with Google, which asks for one itself', async () => {
    await deps.db.updateTable('users').set({ passwordHash: null }).execute()
    await expect(turnOn()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is turned off with the password and a code, and is told', async () => {
    const { key } = await turnOn()
    await expect(
      turnOffSecondFactor(deps, supplier, { password: PASSWORD, code: '1' }, ADDRESS),
    ).rejects.toMatchObject({ field: 'code' })
    deps.clock.advance(MINUTE_MS)
    const code = codeAt(key, deps.clock.now())
    await expect(
      turnOffSecondFactor(deps, supplier, { password: 'wrong', code }, ADDRESS),
    ).rejects.toMatchObject({ field: 'password' })
    await turnOffSecondFactor(deps, supplier, { password: PASSWORD, code }, ADDRESS)
    expect(await getSecondFactor(deps, supplier)).toMatchObject({
      since: null,
      recoveryCodesLeft: 0,
    })
    expect(await listTitles()).toContain('The second factor was turned off')
  })

  it('stores neither its key nor its recovery codes as they are', async () => {
    const { key, recoveryCodes } = await turnOn()
    const stored = JSON.stringify([
      await deps.db.selectFrom('secondFactors').selectAll().execute(),
      await deps.db.selectFrom('recoveryCodes').selectAll().execute(),
      await deps.db.selectFrom('auditEntries').selectAll().execute(),
    ])
    for (const secret of [
      key,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ]) {
      expect(stored).not.toContain(secret)
    }
  })
})

describe('a code', () => {
  it('works once, and none of before it does any more', async () => {
    const { key, code } = await putSecondFactor(deps, supplier.id)
    const earlier = codeAt(key, deps.clock.now() - 30_000)
    const next = codeAt(key, deps.clock.now() + 30_000)
    expect(await isRight(`${code().slice(0, 3)} ${code().slice(3)}`)).toBe(true)
    expect([await isRight(code()), await isRight(earlier)]).toEqual([false, false])
    expect(await isRight(next)).toBe(true)
  })

  it('works once when it is sent twice at once', async () => {
    const { code } = await putSecondFactor(deps, supplier.id)
    const answers = await Promise.all([1, 2, 3].map(() => isRight(code())))
    expect(answers.filter(Boolean)).toEqual([true])
  })

  it('works again after the clock was far ahead', async () => {
    const { code } = await putSecondFactor(deps, supplier.id)
    deps.clock.advance(24 * HOUR_MS)
    expect(await isRight(code())).toBe(true)
    deps.clock.advance(-24 * HOUR_MS)
    expect(await isRight(code())).toBe(true)
  })

  it('of somebody else is wrong', async () => {
    const other = await createSupplierUser(deps)
    await putSecondFactor(deps, supplier.id)
    const { code, recoveryCodes } = await putSecondFactor(deps, other.id)
    expect([await isRight(code()), await isRight(recoveryCodes[0]!)]).toEqual([false, false])
  })

  it('of recovery works once, however it is typed, and is told', async () => {
    const { recoveryCodes } = await putSecondFactor(deps, supplier.id)
    const [first = ''] = recoveryCodes
    const typed = ` ${first.replaceAll('-', ' ').toUpperCase()}`
    expect([await isRight(typed), await isRight(first)]).toEqual([true, false])
    expect(await getSecondFactor(deps, supplier)).toMatchObject({ recoveryCodesLeft: 9 })
    expect(await listTitles()).toEqual(['A recovery code was used'])
    expect(await listMails()).toEqual([expect.stringContaining('A recovery code was used')])
  })

  it('of recovery is replaced by ten new ones, with the password and a code', async () => {
    const { recoveryCodes, code } = await putSecondFactor(deps, supplier.id)
    const proof = { password: PASSWORD, code: code() }
    const renewed = await renewRecoveryCodes(deps, supplier, proof, ADDRESS)
    expect([await isRight(recoveryCodes[3]!), await isRight(renewed[3]!)]).toEqual([false, true])
    expect(await listTitles()).toEqual(['A recovery code was used', 'New recovery codes were made'])
  })

  it('is told by mail once in ten minutes at most, and 20 times an hour in the app', async () => {
    await putSecondFactor(deps, supplier.id)
    for (let count = 0; count < 25; count++) {
      const { recoveryCodes } = await putCodes()
      expect(await isRight(recoveryCodes[0]!)).toBe(true)
    }
    expect(await listTitles()).toHaveLength(20)
    expect(await listMails()).toHaveLength(1)
  })
})

async function putCodes() {
  await deps.db.deleteFrom('recoveryCodes').execute()
  await deps.db.deleteFrom('secondFactors').execute()
  return putSecondFactor(deps, supplier.id)
}

describe('whoever has lost a second factor', () => {
  it('has it turned off by another owner, and is told', async () => {
    const owner = await createMember(deps, supplier, 'OWNER')
    const member = await createMember(deps, supplier, 'VIEWER')
    await putSecondFactor(deps, member.id)
    const actor = await actorOf(owner)
    await turnOffForPerson(deps, actor, { personId: member.id })
    expect(await getSecondFactor(deps, await actorOf(member))).toMatchObject({
      since: null,
      recoveryCodesLeft: 0,
    })
    expect(await listTitles(await actorOf(member))).toEqual(['The second factor was turned off'])
    await expect(turnOffForPerson(deps, actor, { personId: member.id })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  it('has it turned off by an administrator, who has to turn off the own one by a code', async () => {
    const admin = await createAdmin(deps)
    await putSecondFactor(deps, supplier.id)
    await putSecondFactor(deps, admin.id)
    const companyId = supplier.id
    await turnOffForPerson(deps, admin, { personId: supplier.id, companyId })
    expect(await getSecondFactor(deps, supplier)).toMatchObject({ since: null })
    await expect(
      turnOffForPerson(deps, admin, { personId: admin.id, companyId }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await putSecondFactor(deps, supplier.id)
    await expect(turnOffForPerson(deps, supplier, { personId: supplier.id })).rejects.toMatchObject(
      { code: 'CONFLICT' },
    )
  })

  it('is an administrator who has it turned off on the command line, if that is asked for', async () => {
    const admin = await createAdmin(deps)
    await putSecondFactor(deps, admin.id)
    await saveAdmin(deps, admin.username, 'another horse')
    expect(await getSecondFactor(deps, admin)).toMatchObject({
      since: expect.any(String) as string,
    })
    await saveAdmin(deps, admin.username, 'another horse', { isWithoutSecondFactor: true })
    expect(await getSecondFactor(deps, admin)).toMatchObject({ since: null })
    expect(await listTitles(admin)).toContain('The second factor was turned off')
  })
})

describe('a restored backup', () => {
  it('has second factors, but no code that may have been used since', async () => {
    const { key, code, recoveryCodes } = await putSecondFactor(deps, supplier.id)
    const used = [code(), codeAt(key, deps.clock.now() + 30_000), recoveryCodes[0]!]
    await inTransaction(deps.db, (trx) => cancelUnfinishedWork(trx, deps.clock.now()))
    const answers: boolean[] = []
    for (const sent of used) answers.push(await isRight(sent))
    expect(answers).toEqual([false, false, false])
    deps.clock.advance(MINUTE_MS + 30_000)
    expect(await isRight(code())).toBe(true)
  })
})

describe('the key of a second factor', () => {
  it('is encrypted anew with another encryption key, and said to be missing without', async () => {
    const { code, recoveryCodes } = await putSecondFactor(deps, supplier.id)
    const next = Buffer.alloc(32, 9)
    Object.assign(deps.secrets, createSecretBox(next))
    expect(await describeMissingKeys(deps)).toEqual([
      expect.stringContaining('The keys of 1 second factor were saved'),
    ])
    await expect(isRight(code())).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await isRight(recoveryCodes[0]!)).toBe(true)
    Object.assign(deps.secrets, createSecretBox(next, TEST_KEY))
    expect(await resealAll(deps)).toMatchObject({ secondFactors: { sealed: 1, unreadable: [] } })
    Object.assign(deps.secrets, createSecretBox(next))
    expect(await isRight(code())).toBe(true)
  })
})

describe('a first login that is removed', () => {
  it('leaves neither second factor nor recovery codes', async () => {
    const owner = await createMember(deps, supplier, 'OWNER')
    await putSecondFactor(deps, supplier.id)
    await removePerson(deps, await actorOf(owner), { personId: supplier.id })
    expect(await deps.db.selectFrom('secondFactors').selectAll().execute()).toEqual([])
    expect(await deps.db.selectFrom('recoveryCodes').selectAll().execute()).toEqual([])
  })
})
