import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { describeAuditEntry } from '../../../../shared/audit-actions'
import { HOUR_MS } from '../../../../shared/durations'
import type { Actor } from '../../../domain/actor'
import { withCaller } from '../../../domain/caller'
import { createAdmin, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { pageAuditEntries } from '../audit/audit-log'
import { recordFailedSignIn } from './failed-sign-ins'
import type { UserRecord } from './users.queries'

const TO_ACCOUNT = 10
const AT_ADDRESS = 20
const IN_ALL = 300

let deps: TestDeps
let admin: Actor
let victim: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  admin = await createAdmin(deps)
  victim = await createSupplierUser(deps)
  await deps.db.deleteFrom('auditEntries').execute()
})
afterEach(() => deps.close())

const from = (place: number) => `203.0.113.${place}`

async function fail(user: UserRecord | undefined, address: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count++) {
    await withCaller({ origin: 'web', actor: null, address }, () =>
      recordFailedSignIn(deps, user, address),
    )
  }
}

/** What an administrator finds of an account, newest first: null of unknown ones. */
async function entriesOf(user: UserRecord | null) {
  const filter = user ? { noun: 'user' as const, subjectId: user.id } : {}
  const { rows } = await pageAuditEntries(deps, admin, filter)
  return rows.filter(({ subjectId }) => subjectId === (user?.id ?? null))
}
const sentencesOf = async (user: UserRecord | null) =>
  (await entriesOf(user)).map(describeAuditEntry)
const countEntries = async () =>
  (await deps.db.selectFrom('auditEntries').select('id').execute()).length

describe('failed sign-ins to an account', () => {
  it('have an entry each up to a number, the last of which says how many more there were', async () => {
    for (let place = 0; place < 25; place++) await fail(victim, from(place))
    const failed = `Somebody could not sign in as ${victim.username}`
    const [counted, ...others] = await sentencesOf(victim)
    expect(counted).toBe(`${failed}, 16 times`)
    expect(others).toEqual(Array<string>(TO_ACCOUNT - 1).fill(failed))
    expect((await entriesOf(victim))[0]).toMatchObject({ address: null, count: 16 })
  })

  it('are counted anew each hour', async () => {
    await fail(victim, from(1), TO_ACCOUNT + 2)
    deps.clock.advance(HOUR_MS)
    await fail(victim, from(1), TO_ACCOUNT + 3)
    const counted = (await entriesOf(victim)).filter(({ count }) => count > 1)
    expect(counted.map(({ count, address }) => [count, address])).toEqual([
      [4, from(1)],
      [3, from(1)],
    ])
  })

  it('are seen beside any flood: to other accounts, to unknown ones and from its address', async () => {
    for (let place = 1; place <= IN_ALL / TO_ACCOUNT; place++) {
      await fail(await createSupplierUser(deps), from(place), AT_ADDRESS)
    }
    for (let place = 1; place <= 20; place++) await fail(undefined, from(100 + place), AT_ADDRESS)
    await fail(victim, from(1))
    await fail(victim, '198.51.100.1')
    await fail(victim, '198.51.100.2')
    expect(await sentencesOf(victim)).toEqual([
      `Somebody could not sign in as ${victim.username}, 3 times`,
    ])
  })

  it('make no more entries than a number in all and one for each account, however many there are', async () => {
    const accounts = 40
    for (let place = 1; place <= accounts; place++) {
      await fail(await createSupplierUser(deps), from(place), 30)
    }
    // Thirty accounts have ten each; the others have one.
    expect(await countEntries()).toBe(IN_ALL + accounts - IN_ALL / TO_ACCOUNT)
  })
})

it('those to unknown users are one account, whose entries have no name', async () => {
  for (let place = 0; place < 25; place++) await fail(undefined, from(place))
  const failed = 'Somebody could not sign in as an unknown user'
  expect(await sentencesOf(null)).toEqual([
    `${failed}, 16 times`,
    ...Array<string>(TO_ACCOUNT - 1).fill(failed),
  ])
})

it('the supplier of an account sees its count, without those of others', async () => {
  const other = await createSupplierUser(deps)
  for (const user of [victim, other]) await fail(user, from(1), TO_ACCOUNT + 2)
  const { rows } = await pageAuditEntries(deps, victim, {})
  expect(rows).toHaveLength(TO_ACCOUNT)
  expect(rows[0]).toMatchObject({ subjectId: victim.id, address: from(1), count: 3 })
})
