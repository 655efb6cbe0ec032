import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import { createLinkedRetailer, createSupplierUser } from '../../../testing/fixtures/factories'
import { checkAlerts } from '../../../testing/stages/check-alerts'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { listNotifications } from '../../alerting/alerts/notifications'
import {
  createFeedAddress,
  protectFeedAddresses,
} from '../../distribution/feed-addresses/feed-addresses'
import type { UserRecord } from '../../people/accounts/users.queries'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps)
})
afterEach(() => deps.close())

const inDays = (days: number) => new Date(deps.clock.now() + days * DAY_MS).toISOString()

async function put(days: number) {
  const retailer = await createLinkedRetailer(deps, supplier)
  await createFeedAddress(deps, retailer.user, retailer.id)
  const extend = (until: number) =>
    protectFeedAddresses(deps, retailer.user, { id: retailer.id, validUntil: inDays(until) })
  await extend(days)
  return { ...retailer, extend }
}

const listTold = async (user: UserRecord) =>
  (await listNotifications(deps, user)).notifications
    .filter(({ kind }) => kind === 'account.feeds-expire')
    .map(({ title, text, path }) => `${title}. ${text} ${path}`)

describe('a feed address that expires', () => {
  it('is told once, two weeks before, to the retailer and its supplier', async () => {
    const { user } = await put(20)
    deps.clock.advance(6 * DAY_MS - 1)
    await checkAlerts(deps)
    expect(await listTold(user)).toEqual([])
    deps.clock.advance(1)
    await checkAlerts(deps)
    await checkAlerts(deps)
    const told =
      /^The feed address of .+ expires soon\. It ends on 2026-02-04\. Extend it before, .* \/retailer\/shop$/
    expect(await listTold(user)).toEqual([expect.stringMatching(told)])
    expect(await listTold(supplier)).toEqual([expect.stringMatching(/\/supplier\/retailers$/)])
  })

  it('is told to a supplier together with those of its other retailers', async () => {
    const { user } = await put(10)
    await put(3)
    await checkAlerts(deps)
    expect(await listTold(supplier)).toEqual([
      expect.stringMatching(/^Feed addresses expire soon\. .+, .+: the first ends on 2026-01-18\./),
    ])
    expect(await listTold(user)).toHaveLength(1)
  })

  it('is told again when it was extended, and is going to expire once more', async () => {
    const { user, extend } = await put(10)
    await checkAlerts(deps)
    await extend(30)
    await checkAlerts(deps)
    expect(await listTold(user)).toHaveLength(1)
    deps.clock.advance(20 * DAY_MS)
    await checkAlerts(deps)
    expect(await listTold(user)).toHaveLength(2)
  })

  it('is not told once it has expired', async () => {
    const { user } = await put(1)
    deps.clock.advance(2 * DAY_MS)
    await checkAlerts(deps)
    expect(await listTold(user)).toEqual([])
  })
})
