import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrateToLatest } from '../../db/migrate'
import { openDatabase } from '../../db/open'
import { ADDRESS, createAdmin, createSupplierUser, PASSWORD } from '../../testing/factories'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import { cleanUpTask } from '../maintenance/clean-up-task'
import { login } from './accounts'
import { rememberAddress } from './login-attempts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let deps: TestDeps
let hashChecks: number

beforeEach(async () => {
  deps = countingHashChecks(await openTestDeps())
  hashChecks = 0
})
afterEach(() => deps.close())

function countingHashChecks(real: TestDeps): TestDeps {
  const verify: TestDeps['passwords']['verify'] = (requester, hash, password, count) =>
    real.passwords.verify(requester, hash, password, async () => {
      await count?.()
      hashChecks += 1
    })
  return { ...real, passwords: { ...real.passwords, verify } }
}

/** What becomes of a try: `in`, `wrong`, or the seconds to wait. */
async function tryLogin(username: string, password: string, address = ADDRESS) {
  try {
    await login(deps, { username, password }, address)
    return 'in'
  } catch (error) {
    const { code, retryAfterSeconds } = error as { code: string; retryAfterSeconds?: number }
    return code === 'UNAUTHENTICATED' ? 'wrong' : retryAfterSeconds
  }
}

async function fail(times: number, username: string, address = ADDRESS): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    expect(await tryLogin(username, 'wrong', address)).toBe('wrong')
  }
}

const cleanUp = () =>
  cleanUpTask.run(deps, {
    leaseToken: '1',
    signal: new AbortController().signal,
    report: async () => undefined,
  })
const listAttempts = () => deps.db.selectFrom('attempts').selectAll().execute()

describe('guessing the password of an account from one address', () => {
  it('is held up after five failures, for twice as long each time, up to a minute', async () => {
    const { username } = await createSupplierUser(deps)
    await fail(5, username)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await tryLogin(username, PASSWORD)).toBe(seconds)
      deps.clock.advance(seconds * SECOND - 1)
      expect(await tryLogin(username, PASSWORD)).toBe(1)
      deps.clock.advance(1)
      await fail(1, username)
    }
  })

  it('is not held up any longer by tries that were refused', async () => {
    const { username } = await createSupplierUser(deps)
    await fail(5, username)
    for (let count = 0; count < 50; count += 1) expect(await tryLogin(username, 'wrong')).toBe(1)
    deps.clock.advance(SECOND)
    expect(await tryLogin(username, PASSWORD)).toBe('in')
  })

  it('starts anew after a success', async () => {
    const { username } = await createSupplierUser(deps)
    await fail(4, username)
    expect(await tryLogin(username, PASSWORD)).toBe('in')
    await fail(5, username)
    expect(await tryLogin(username, PASSWORD)).toBe(1)
  })

  it('is forgotten after an hour', async () => {
    const { username } = await createSupplierUser(deps)
    await fail(5, username)
    deps.clock.advance(HOUR)
    await fail(5, username)
    expect(await tryLogin(username, PASSWORD)).toBe(1)
  })

  it('holds up nobody who tries another account, or from another address', async () => {
    const { username } = await createSupplierUser(deps)
    const other = await createSupplierUser(deps)
    await fail(5, username)
    expect(await tryLogin(other.username, PASSWORD)).toBe('in')
    expect(await tryLogin(username, PASSWORD, '198.51.100.7')).toBe('in')
  })

  it('counts a name for the same however it is written', async () => {
    await createSupplierUser(deps, { username: 'Émilie' })
    for (const name of [
      'Émilie',
      'émilie',
      'É'.normalize('NFD') + 'MILIE',
      'Éｍｉｌｉｅ',
      ' ÉMILIE ',
    ]) {
      await fail(1, name)
    }
    expect(await tryLogin('émilie', PASSWORD)).toBe(1)
  })

  it('cannot be hurried by trying everything at once', async () => {
    const { username } = await createSupplierUser(deps)
    const tries = Array.from({ length: 50 }, () => tryLogin(username, 'wrong'))
    const answers = await Promise.all(tries)
    expect(answers.filter((answer) => answer === 'wrong')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 1)).toHaveLength(45)
    expect(hashChecks).toBe(5)
  })

  it('cannot be hurried by going through several processes', async () => {
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

  it('is not held up by a clock that jumps back', async () => {
    const { username } = await createSupplierUser(deps)
    await fail(5, username)
    deps.clock.advance(-DAY)
    expect(await tryLogin(username, PASSWORD)).toBe('in')
  })
})

describe('guessing the password of an account from many addresses', () => {
  /** Twenty failures, each from an address of its own. */
  async function attack(username: string) {
    for (let count = 0; count < 20; count += 1) await fail(1, username, `203.0.113.${count}`)
  }

  it('is held up for a quarter of an hour after twenty failures', async () => {
    const { username } = await createSupplierUser(deps)
    await attack(username)
    expect(await tryLogin(username, PASSWORD)).toBe(15 * 60)
    deps.clock.advance(15 * MINUTE - 1)
    expect(await tryLogin(username, PASSWORD)).toBe(1)
    deps.clock.advance(1)
    await fail(1, username)
    expect(await tryLogin(username, 'wrong', '198.51.100.7')).toBe(15 * 60)
  })

  it('is over after an hour', async () => {
    const { username } = await createSupplierUser(deps)
    await attack(username)
    deps.clock.advance(HOUR)
    expect(await tryLogin(username, PASSWORD)).toBe('in')
  })

  it('never locks the administrator out where it has signed in before', async () => {
    const admin = await createAdmin(deps)
    await rememberAddress(deps, admin.id, ADDRESS)
    for (let round = 0; round < 8; round += 1) {
      await attack(admin.username)
      expect(await tryLogin(admin.username, PASSWORD)).toBe('in')
      expect(await tryLogin(admin.username, PASSWORD, '198.51.100.7')).toBe(15 * 60)
      deps.clock.advance(HOUR)
    }
  })

  it('gives somebody who knows an address no free guesses from there', async () => {
    const admin = await createAdmin(deps)
    await rememberAddress(deps, admin.id, ADDRESS)
    await attack(admin.username)
    await fail(5, admin.username)
    expect(await tryLogin(admin.username, 'wrong')).toBe(1)
  })

  it('does not take the success of the owner for the end of the attack', async () => {
    const admin = await createAdmin(deps)
    await rememberAddress(deps, admin.id, ADDRESS)
    await attack(admin.username)
    expect(await tryLogin(admin.username, PASSWORD)).toBe('in')
    expect(await tryLogin(admin.username, 'wrong', '198.51.100.7')).toBe(15 * 60)
  })

  it('takes an address for a strange one when its user was not there for 90 days', async () => {
    const { id, username } = await createSupplierUser(deps)
    await rememberAddress(deps, id, ADDRESS)
    deps.clock.advance(90 * DAY)
    await attack(username)
    expect(await tryLogin(username, PASSWORD)).toBe(15 * 60)
  })
})

describe('guessing from one address at many accounts', () => {
  it('is held up after sixty failures a minute', async () => {
    const { username } = await createSupplierUser(deps)
    for (let count = 0; count < 60; count += 1) {
      await fail(1, `guess-${count}`)
      deps.clock.advance(SECOND / 2)
    }
    expect(await tryLogin(username, PASSWORD)).toBe(30)
    expect(await tryLogin(username, PASSWORD, '198.51.100.7')).toBe('in')
    deps.clock.advance(30 * SECOND)
    expect(await tryLogin(username, PASSWORD)).toBe('in')
  })

  it('holds up no office whose people all know their passwords', async () => {
    for (let person = 0; person < 100; person += 1) {
      const { username } = await createSupplierUser(deps)
      for (let count = 0; count < 3; count += 1) {
        expect(await tryLogin(username, PASSWORD)).toBe('in')
      }
    }
    expect((await listAttempts()).filter(({ limitName }) => limitName.startsWith('login'))).toEqual(
      [],
    )
  })
})

describe('signing in with the right password again and again', () => {
  it('is held up after thirty times a minute, for this account alone', async () => {
    const { username } = await createSupplierUser(deps)
    const other = await createSupplierUser(deps)
    for (let count = 0; count < 30; count += 1) {
      expect(await tryLogin(username, PASSWORD, `203.0.113.${count}`)).toBe('in')
    }
    hashChecks = 0
    expect([await tryLogin(username, PASSWORD), hashChecks]).toEqual([60, 0])
    expect(await tryLogin(other.username, PASSWORD)).toBe('in')
    deps.clock.advance(MINUTE)
    expect(await tryLogin(username, PASSWORD)).toBe('in')
  })

  it('is held up exactly then, however many are tried at once', async () => {
    const { username } = await createSupplierUser(deps)
    const answers: unknown[] = []
    for (let round = 0; round < 4; round += 1) {
      const tries = Array.from({ length: 12 }, () => tryLogin(username, PASSWORD))
      answers.push(...(await Promise.all(tries)))
    }
    expect(answers.filter((answer) => answer === 'in')).toHaveLength(30)
    expect(answers.filter((answer) => answer === 60)).toHaveLength(18)
  })

  it('counts no success that came too late as a failure', async () => {
    const { username } = await createSupplierUser(deps)
    for (let count = 0; count < 29; count += 1) await tryLogin(username, PASSWORD)
    await Promise.all(Array.from({ length: 10 }, () => tryLogin(username, PASSWORD)))
    const names = (await listAttempts()).map(({ limitName }) => limitName)
    expect(names.toSorted()).toEqual([
      ...Array<string>(30).fill('signIn'),
      ...Array<string>(30).fill('signInAtAddress'),
    ])
  })

  it('is held up after three hundred times a minute from one address', async () => {
    const { id, username } = await createSupplierUser(deps)
    await rememberAddress(deps, id, ADDRESS)
    for (let person = 0; person < 10; person += 1) {
      const account = await createSupplierUser(deps)
      for (let count = 0; count < 30; count += 1) await tryLogin(account.username, PASSWORD)
    }
    expect(await tryLogin(username, PASSWORD)).toBe(60)
    expect(await tryLogin(username, PASSWORD, '198.51.100.7')).toBe('in')
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

  it('costs and answers the same as any other, however often', async () => {
    const kinds = Object.entries(await createKinds())
    const stories: unknown[] = []
    for (const [, username] of kinds) {
      hashChecks = 0
      const story: unknown[] = []
      for (const seconds of [0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 4]) {
        deps.clock.advance(seconds * SECOND)
        story.push(await tryLogin(username, 'wrong'), hashChecks)
      }
      stories.push(story)
      deps.clock.advance(HOUR)
    }
    expect(stories).toEqual(kinds.map(() => stories[0]))
    expect(stories[0]).toContain(4)
  })

  it('is held up from many addresses, too', async () => {
    for (const username of Object.values(await createKinds())) {
      for (let count = 0; count < 20; count += 1) {
        await fail(1, username, `203.0.113.${count}`)
      }
      expect(await tryLogin(username, 'wrong')).toBe(15 * 60)
      deps.clock.advance(HOUR)
    }
  })
})

describe('what is kept of a try', () => {
  it('is neither the password nor the name, which may be a password as well', async () => {
    await fail(1, 'my secret horse')
    const text = JSON.stringify(await listAttempts()).toLowerCase()
    expect(text).not.toMatch(/horse|wrong|192\.0\.2/)
  })

  it('is removed when no limit looks back to it any more', async () => {
    const { id, username } = await createSupplierUser(deps)
    await rememberAddress(deps, id, ADDRESS)
    await fail(1, username)
    deps.clock.advance(HOUR + 1)
    await fail(1, username)
    await cleanUp()
    expect(await listAttempts()).toHaveLength(3)
    const listAddresses = () => deps.db.selectFrom('knownAddresses').selectAll().execute()
    expect(await listAddresses()).toHaveLength(1)
    deps.clock.advance(90 * DAY)
    await cleanUp()
    expect([await listAttempts(), await listAddresses()]).toEqual([[], []])
  })

  it('is nothing when so many were waiting that it was not even looked at', async () => {
    const tries = Array.from({ length: 60 }, (_, index) => tryLogin(`guess-${index}`, 'wrong'))
    const answers = await Promise.all(tries)
    expect(answers.filter((answer) => answer === 1)).toHaveLength(8)
    expect(await listAttempts()).toHaveLength(52 * 3)
  })
})
