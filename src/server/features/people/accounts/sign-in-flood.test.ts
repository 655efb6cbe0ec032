import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { MINUTE_MS } from '../../../../shared/durations'
import {
  ADDRESS,
  createAdmin,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { changeOwnPassword, login, resetPassword } from './accounts'
import { rememberAddress } from './login-attempts'
import { register } from './registration'
import type { UserRecord } from './users.queries'

const TRIES = 22
const AT_ONCE = 80

let deps: TestDeps
let admin: UserRecord
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  admin = await createAdmin(deps)
  supplier = await createSupplierUser(deps)
})
afterEach(() => deps.close())

const oneAddress = () => '203.0.113.1'
const manyAddresses = (count: number) => `203.0.113.${count}`

/** In each round, 80 calls start before the administrator tries to sign in. */
async function signInAmid(call: (count: number) => Promise<unknown>): Promise<unknown[]> {
  const outcomes: unknown[] = []
  for (let round = 0; round < TRIES; round += 1) {
    const others = Promise.allSettled(Array.from({ length: AT_ONCE }, (_, count) => call(count)))
    const attempt = login(deps, { username: admin.username, password: PASSWORD }, ADDRESS)
    outcomes.push(await attempt.then(() => 'in').catch((error: Error) => error.message))
    await others
    // Far enough for the limits per minute to admit the calls again.
    deps.clock.advance(MINUTE_MS)
  }
  return outcomes
}
const alwaysIn = Array<string>(TRIES).fill('in')

describe.each([
  ['one address', oneAddress],
  ['many addresses', manyAddresses],
])('an administrator can sign in during 80 concurrent calls from %s', (_, from) => {
  it('that sign in to one account with the right password', async () => {
    const { username } = supplier
    const call = (count: number) => login(deps, { username, password: PASSWORD }, from(count))
    expect(await signInAmid(call)).toEqual(alwaysIn)
  })

  it('that sign in to one account with a wrong password', async () => {
    const { username } = supplier
    const call = (count: number) => login(deps, { username, password: 'wrong' }, from(count))
    expect(await signInAmid(call)).toEqual(alwaysIn)
  })

  it('that guess the password of the administrator itself', async () => {
    await rememberAddress(deps, admin.id, ADDRESS)
    const { username } = admin
    const call = (count: number) => login(deps, { username, password: 'wrong' }, from(count))
    expect(await signInAmid(call)).toEqual(alwaysIn)
  })

  it('that change one user’s own password', async () => {
    const input = { currentPassword: PASSWORD, newPassword: 'another horse' }
    const call = (count: number) =>
      changeOwnPassword(deps, supplier, { sessionIdHash: '', address: from(count) }, input)
    expect(await signInAmid(call)).toEqual(alwaysIn)
  })

  it('that reset a password', async () => {
    const other = await createAdmin(deps)
    const input = { userId: supplier.id, newPassword: 'another horse' }
    const call = (count: number) => resetPassword(deps, other, input, from(count))
    expect(await signInAmid(call)).toEqual(alwaysIn)
  })

  it('that register retailers of one supplier', async () => {
    const input = { username: 'shop', password: PASSWORD, role: 'RETAILER' as const }
    const call = (count: number) => register(deps, supplier, input, from(count))
    expect(await signInAmid(call)).toEqual(alwaysIn)
  })
})

it('an administrator can sign in during 80 concurrent sign-ins to as many accounts', async () => {
  const users: UserRecord[] = []
  for (let count = 0; count < AT_ONCE; count += 1) users.push(await createSupplierUser(deps))
  const call = (count: number) =>
    login(deps, { username: users[count]!.username, password: 'wrong' }, oneAddress())
  expect(await signInAmid(call)).toEqual(alwaysIn)
})
