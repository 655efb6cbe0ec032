import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { describeAlert } from '../../../../shared/alert-text'
import { withCaller } from '../../../domain/caller'
import {
  ADDRESS,
  createAdmin,
  createLinkedRetailer,
  createSession,
  createSupplierUser,
  PASSWORD,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { fanOutEvents } from '../../alerting/alerts/fan-out'
import { listNotifications } from '../../alerting/alerts/notifications'
import { changeOwnPassword, resetPassword } from '../../people/accounts/accounts'
import type { UserRecord } from '../../people/accounts/users.queries'
import { createFeedAddress, listFeedAddresses, revokeFeedAddresses } from './feed-addresses'

let deps: TestDeps
let admin: UserRecord
let supplier: UserRecord
let shops: Awaited<ReturnType<typeof createLinkedRetailer>>[]

/** A supplier with two retailers, and another supplier with one, each with an address. */
beforeEach(async () => {
  deps = await openTestDeps()
  admin = await createAdmin(deps)
  supplier = await createSupplierUser(deps)
  const other = await createSupplierUser(deps)
  shops = []
  for (const owner of [supplier, supplier, other]) {
    const shop = await createLinkedRetailer(deps, owner)
    await createFeedAddress(deps, owner, shop.id)
    shops.push(shop)
  }
})
afterEach(() => deps.close())

/** How many addresses each of the three shops has. */
async function countAddresses() {
  const lists = await Promise.all(shops.map(({ id }) => listFeedAddresses(deps, admin, id)))
  return lists.map(({ length }) => length)
}

const newPassword = 'another horse'
const reset = (actor: UserRecord, user: UserRecord, endsFeedAddresses?: boolean) =>
  withCaller({ origin: 'web', actor, address: ADDRESS }, () =>
    resetPassword(deps, actor, { userId: user.id, newPassword, endsFeedAddresses }, ADDRESS),
  )

async function change(actor: UserRecord, endsFeedAddresses?: boolean) {
  const from = { sessionIdHash: await createSession(deps, actor), address: ADDRESS }
  const input = { currentPassword: PASSWORD, newPassword, endsFeedAddresses }
  await withCaller({ origin: 'web', actor, address: ADDRESS }, () =>
    changeOwnPassword(deps, actor, from, input),
  )
}

describe('a new password', () => {
  it.each([undefined, false])('leaves feed addresses as they are: %s', async (ends) => {
    await reset(supplier, shops[0]!.user, ends)
    await reset(admin, supplier, ends)
    await change(shops[1]!.user, ends)
    expect(await countAddresses()).toEqual([1, 1, 1])
  })

  it('ends those of the retailer when its supplier or an administrator wants it', async () => {
    await reset(supplier, shops[0]!.user, true)
    expect(await countAddresses()).toEqual([0, 1, 1])
    await reset(admin, shops[2]!.user, true)
    expect(await countAddresses()).toEqual([0, 1, 0])
  })

  it('ends the retailer’s own', async () => {
    await change(shops[1]!.user, true)
    expect(await countAddresses()).toEqual([1, 0, 1])
  })

  it('ends those of all retailers of a supplier when an administrator wants it', async () => {
    await reset(admin, supplier, true)
    expect(await countAddresses()).toEqual([0, 0, 1])
  })

  it('ends those of all retailers of the supplier that changes its own', async () => {
    await change(supplier, true)
    expect(await countAddresses()).toEqual([0, 0, 1])
  })

  it('of an administrator ends none', async () => {
    await change(admin, true)
    expect(await countAddresses()).toEqual([1, 1, 1])
  })

  it('ends none when it is refused', async () => {
    await expect(reset(supplier, shops[2]!.user, true)).rejects.toThrow('User not found')
    const from = { sessionIdHash: await createSession(deps, supplier), address: ADDRESS }
    const wrong = { currentPassword: 'wrong', newPassword, endsFeedAddresses: true }
    await expect(changeOwnPassword(deps, supplier, from, wrong)).rejects.toThrow('incorrect')
    expect(await countAddresses()).toEqual([1, 1, 1])
  })

  it('is recorded with what it has ended', async () => {
    await deps.db.deleteFrom('auditEntries').execute()
    await reset(admin, supplier, true)
    const entries = await deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
    const told = entries.map(({ action, subjectId, actorId }) => [action, subjectId, actorId])
    expect(told).toEqual([
      ['user.reset-password', supplier.id, admin.id],
      ['retailer.revoke-feed-addresses', shops[0]!.id, admin.id],
      ['retailer.revoke-feed-addresses', shops[1]!.id, admin.id],
    ])
  })
})

describe('a feed address', () => {
  const readTitles = async (user: UserRecord) =>
    (await listNotifications(deps, user)).notifications.map(
      ({ title, text }) => `${title}. ${text}`,
    )
  const fanOut = () => fanOutEvents(deps, new AbortController().signal)

  it('is told to the retailer and its supplier, also the first one', async () => {
    const [shop] = shops
    await fanOut()
    const first = 'Corner Shop: a feed address was created. Whoever has it can read the file'
    for (const user of [shop!.user, supplier]) {
      expect((await readTitles(user)).at(-1)).toMatch(first)
    }
    await createFeedAddress(deps, shop!.user, shop!.id)
    await fanOut()
    for (const user of [shop!.user, supplier]) {
      expect((await readTitles(user))[0]).toMatch(
        'Corner Shop: a new feed address was created. The address before works for another day.',
      )
    }
    expect(await readTitles(shops[1]!.user)).toHaveLength(1)
  })

  it('is a first one again once all have been revoked', async () => {
    await revokeFeedAddresses(deps, supplier, shops[0]!.id)
    await createFeedAddress(deps, supplier, shops[0]!.id)
    const events = await deps.db.selectFrom('events').selectAll().orderBy('id').execute()
    expect(describeAlert(events.at(-1)!).text).toContain('without signing in')
  })
})
