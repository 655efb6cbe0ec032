import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../../shared/durations'
import { migrateToLatest } from '../../../db/migrate'
import { openDatabase } from '../../../db/open'
import {
  ADDRESS,
  createAdmin,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import {
  countHashChecks,
  failLogins,
  listAttempts,
  tryLogin,
} from '../../../testing/fixtures/login-tries'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { login } from './accounts'
import { rememberAddress } from './login-attempts'

let deps: TestDeps
let hashChecks: () => number

beforeEach(async () => {
  ;({ deps, count: hashChecks } = countHashChecks(await openTestDeps()))
})
afterEach(() => deps.close())

describe('guessing the password of an account from one address', () => {
  it('is throttled after five failures, for twice as long each time, up to a minute', async () => {
    const { username } = await createSupplierUser(deps)
    await failLogins(deps, 5, username)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await tryLogin(deps, username, PASSWORD)).toBe(seconds)
      deps.clock.advance(seconds * SECOND_MS - 1)
      expect(await tryLogin(deps, username, PASSWORD)).toBe(1)
      deps.clock.advance(1)
      await failLogins(deps, 1, username)
    }
  })

  it('is not throttled for longer by attempts that were refused', async () => {
    const { username } = await createSupplierUser(deps)
    await failLogins(deps, 5, username)
    for (let count = 0; count < 50; count += 1)
      expect(await tryLogin(deps, username, 'wrong')).toBe(1)
    deps.clock.advance(SECOND_MS)
    expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
  })

  it('starts from zero after a success', async () => {
    const { username } = await createSupplierUser(deps)
    await failLogins(deps, 4, username)
    expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
    await failLogins(deps, 5, username)
    expect(await tryLogin(deps, username, PASSWORD)).toBe(1)
  })

  it('no longer counts after an hour', async () => {
    const { username } = await createSupplierUser(deps)
    await failLogins(deps, 5, username)
    deps.clock.advance(HOUR_MS)
    await failLogins(deps, 5, username)
    expect(await tryLogin(deps, username, PASSWORD)).toBe(1)
  })

  it('throttles neither another account nor another address', async () => {
    const { username } = await createSupplierUser(deps)
    const other = await createSupplierUser(deps)
    await failLogins(deps, 5, username)
    expect(await tryLogin(deps, other.username, PASSWORD)).toBe('in')
    expect(await tryLogin(deps, username, PASSWORD, '198.51.100.7')).toBe('in')
  })

  it('counts all spellings of a username together', async () => {
    await createSupplierUser(deps, { username: 'Émilie' })
    for (const name of [
      'Émilie',
      'émilie',
      'É'.normalize('NFD') + 'MILIE',
      'Éｍｉｌｉｅ',
      ' ÉMILIE ',
    ]) {
      await failLogins(deps, 1, name)
    }
    expect(await tryLogin(deps, 'émilie', PASSWORD)).toBe(1)
  })

  it('cannot exceed the limit by trying all at once', async () => {
    const { username } = await createSupplierUser(deps)
    const tries = Array.from({ length: 50 }, () => tryLogin(deps, username, 'wrong'))
    const outcomes = await Promise.all(tries)
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(5)
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(45)
    expect(hashChecks()).toBe(5)
  })

  it('cannot exceed the limit by using several processes', async () => {
    const file = `${deps.config.dataDir}/shared.db`
    const databases = [openDatabase(file), openDatabase(file)]
    await migrateToLatest(databases[0]!)
    const processes = databases.map((db) => ({ ...deps, db }))
    const { username } = await createSupplierUser(processes[0]!)
    const tries = Array.from({ length: 20 }, (_, index) =>
      login(processes[index % 2]!, { username, password: 'wrong' }, ADDRESS),
    )
    const results = await Promise.allSettled(tries)
    const codes = results.map((result) => (result as { reason: { code: string } }).reason.code)
    expect(codes.filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(5)
    expect(codes.filter((code) => code === 'THROTTLED')).toHaveLength(15)
    await Promise.all(databases.map((db) => db.destroy()))
  })

  it('is not throttled after the clock has moved backwards', async () => {
    const { username } = await createSupplierUser(deps)
    await failLogins(deps, 5, username)
    deps.clock.advance(-DAY_MS)
    expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
  })
})

describe('guessing the password of an account from many addresses', () => {
  /** Fails twenty times, each time from another address. */
  async function attack(username: string) {
    for (let count = 0; count < 20; count += 1)
      await failLogins(deps, 1, username, `203.0.113.${count}`)
  }

  it('is throttled for a quarter of an hour after twenty failures', async () => {
    const { username } = await createSupplierUser(deps)
    await attack(username)
    expect(await tryLogin(deps, username, PASSWORD)).toBe(15 * 60)
    deps.clock.advance(15 * MINUTE_MS - 1)
    expect(await tryLogin(deps, username, PASSWORD)).toBe(1)
    deps.clock.advance(1)
    await failLogins(deps, 1, username)
    expect(await tryLogin(deps, username, 'wrong', '198.51.100.7')).toBe(15 * 60)
  })

  it('no longer throttles the account after an hour', async () => {
    const { username } = await createSupplierUser(deps)
    await attack(username)
    deps.clock.advance(HOUR_MS)
    expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
  })

  it('never locks the administrator out at an address of an earlier sign-in', async () => {
    const admin = await createAdmin(deps)
    await rememberAddress(deps, admin.id, ADDRESS)
    for (let round = 0; round < 8; round += 1) {
      await attack(admin.username)
      expect(await tryLogin(deps, admin.username, PASSWORD)).toBe('in')
      expect(await tryLogin(deps, admin.username, PASSWORD, '198.51.100.7')).toBe(15 * 60)
      deps.clock.advance(HOUR_MS)
    }
  })

  it('is throttled at a known address, too, after five failures from there', async () => {
    const admin = await createAdmin(deps)
    await rememberAddress(deps, admin.id, ADDRESS)
    await attack(admin.username)
    await failLogins(deps, 5, admin.username)
    expect(await tryLogin(deps, admin.username, 'wrong')).toBe(1)
  })

  it('stays throttled elsewhere after the owner has signed in', async () => {
    const admin = await createAdmin(deps)
    await rememberAddress(deps, admin.id, ADDRESS)
    await attack(admin.username)
    expect(await tryLogin(deps, admin.username, PASSWORD)).toBe('in')
    expect(await tryLogin(deps, admin.username, 'wrong', '198.51.100.7')).toBe(15 * 60)
  })

  it('throttles an address that the user has not signed in from for 90 days', async () => {
    const { id, username } = await createSupplierUser(deps)
    await rememberAddress(deps, id, ADDRESS)
    deps.clock.advance(90 * DAY_MS)
    await attack(username)
    expect(await tryLogin(deps, username, PASSWORD)).toBe(15 * 60)
  })
})

describe('guessing passwords of many accounts from one address', () => {
  it('is throttled after sixty failures a minute', async () => {
    const { username } = await createSupplierUser(deps)
    for (let count = 0; count < 60; count += 1) {
      await failLogins(deps, 1, `guess-${count}`)
      deps.clock.advance(SECOND_MS / 2)
    }
    expect(await tryLogin(deps, username, PASSWORD)).toBe(30)
    expect(await tryLogin(deps, username, PASSWORD, '198.51.100.7')).toBe('in')
    deps.clock.advance(30 * SECOND_MS)
    expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
  })

  it('does not count successful sign-ins of many people at one address', async () => {
    for (let person = 0; person < 100; person += 1) {
      const { username } = await createSupplierUser(deps)
      for (let count = 0; count < 3; count += 1) {
        expect(await tryLogin(deps, username, PASSWORD)).toBe('in')
      }
    }
    expect(
      (await listAttempts(deps)).filter(({ limitName }) => limitName.startsWith('login')),
    ).toEqual([])
  })
})
