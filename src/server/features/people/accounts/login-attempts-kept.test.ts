import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { ADDRESS, createSupplierUser, PASSWORD } from '../../../testing/fixtures/factories'
import {
  countHashChecks,
  failLogins,
  listAttempts,
  tryLogin,
} from '../../../testing/fixtures/login-tries'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { rememberAddress } from './login-attempts'

let deps: TestDeps
let hashChecks: () => number

beforeEach(async () => {
  ;({ deps, count: hashChecks } = countHashChecks(await openTestDeps()))
})
afterEach(() => deps.close())

describe('repeated sign-ins with the right password', () => {
  it('are throttled after thirty a minute, for this account only', async () => {
    const { username } = await createSupplierUser(deps)
    const other = await createSupplierUser(deps)
    for (let count = 0; count < 30; count += 1) {
      expect(await tryLogin(deps, username, PASSWORD, `203.0.113.${count}`)).toBe('in')
    }
    const before = hashChecks()
    expect([await tryLogin(deps, username, PASSWORD), hashChecks() - before]).toEqual([60, 0])
    expect(await tryLogin(deps, other.username, PASSWORD)).toBe('in')
    deps.clock.advance(MINUTE_MS)
    expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
  })

  it('are throttled at exactly the same number when tried at once', async () => {
    const { username } = await createSupplierUser(deps)
    const outcomes: unknown[] = []
    for (let round = 0; round < 4; round += 1) {
      const tries = Array.from({ length: 12 }, () => tryLogin(deps, username, PASSWORD))
      outcomes.push(...(await Promise.all(tries)))
    }
    expect(outcomes.filter((outcome) => outcome === 'in')).toHaveLength(30)
    expect(outcomes.filter((outcome) => outcome === 60)).toHaveLength(18)
  })

  it('are not counted as failures when they are throttled', async () => {
    const { username } = await createSupplierUser(deps)
    for (let count = 0; count < 29; count += 1) await tryLogin(deps, username, PASSWORD)
    await Promise.all(Array.from({ length: 10 }, () => tryLogin(deps, username, PASSWORD)))
    const names = (await listAttempts(deps)).map(({ limitName }) => limitName)
    expect(names.toSorted()).toEqual([
      ...Array<string>(30).fill('signIn'),
      ...Array<string>(30).fill('signInAtAddress'),
    ])
  })

  it('are throttled after three hundred a minute from one address', async () => {
    const { id, username } = await createSupplierUser(deps)
    await rememberAddress(deps, id, ADDRESS)
    for (let person = 0; person < 10; person += 1) {
      const account = await createSupplierUser(deps)
      for (let count = 0; count < 30; count += 1) await tryLogin(deps, account.username, PASSWORD)
    }
    expect(await tryLogin(deps, username, PASSWORD)).toBe(60)
    expect(await tryLogin(deps, username, PASSWORD, '198.51.100.7')).toBe('in')
  })
})

describe('an account that cannot be signed in to', () => {
  async function createKinds(): Promise<Record<string, string>> {
    const known = await createSupplierUser(deps)
    const inactive = await createSupplierUser(deps, { isActive: false })
    const byProvider = await createSupplierUser(deps, { passwordHash: null })
    const broken = await createSupplierUser(deps, { passwordHash: '$argon2id$broken' })
    return {
      known: known.username,
      unknown: 'nobody',
      inactive: inactive.username,
      byProvider: byProvider.username,
      broken: broken.username,
    }
  }

  it('costs the same work and gives the same responses as any other, however often it is tried', async () => {
    const kinds = Object.entries(await createKinds())
    const histories: unknown[] = []
    for (const [, username] of kinds) {
      const before = hashChecks()
      const history: unknown[] = []
      for (const seconds of [0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 4]) {
        deps.clock.advance(seconds * SECOND_MS)
        history.push(await tryLogin(deps, username, 'wrong'), hashChecks() - before)
      }
      histories.push(history)
      deps.clock.advance(HOUR_MS)
    }
    expect(histories).toEqual(kinds.map(() => histories[0]))
    expect(histories[0]).toContain(4)
  })

  it('is throttled when the attempts come from many addresses, too', async () => {
    for (const username of Object.values(await createKinds())) {
      for (let count = 0; count < 20; count += 1) {
        await failLogins(deps, 1, username, `203.0.113.${count}`)
      }
      expect(await tryLogin(deps, username, 'wrong')).toBe(15 * 60)
      deps.clock.advance(HOUR_MS)
    }
  })
})

describe('the record of an attempt to sign in', () => {
  it('contains neither the password nor the username, which may be a mistyped password', async () => {
    await failLogins(deps, 1, 'my secret horse')
    const text = JSON.stringify(await listAttempts(deps)).toLowerCase()
    expect(text).not.toMatch(/horse|wrong|192\.0\.2/)
  })

  it('is removed when it is older than every limit’s period', async () => {
    const { id, username } = await createSupplierUser(deps)
    await rememberAddress(deps, id, ADDRESS)
    await failLogins(deps, 1, username)
    deps.clock.advance(HOUR_MS + 1)
    await failLogins(deps, 1, username)
    await cleanUp(deps)
    // Against three limits, and against three of what is recorded in the audit log.
    expect(await listAttempts(deps)).toHaveLength(3 + 3)
    const listAddresses = () => deps.db.selectFrom('knownAddresses').selectAll().execute()
    expect(await listAddresses()).toHaveLength(1)
    deps.clock.advance(90 * DAY_MS)
    await cleanUp(deps)
    expect([await listAttempts(deps), await listAddresses()]).toEqual([[], []])
  })

  it('is not made when the attempt was refused by a full queue', async () => {
    const tries = Array.from({ length: 60 }, (_, index) =>
      tryLogin(deps, `guess-${index}`, 'wrong'),
    )
    const outcomes = await Promise.all(tries)
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(8)
    // The audit log has entries for ten failures to unknown accounts, and counts the others.
    expect(await listAttempts(deps)).toHaveLength(52 * 3 + 10 * 3)
  })
})
