import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import { createGroupInput } from '../../../../shared/schemas/group'
import { saveMergedFileInput } from '../../../../shared/schemas/merged-file'
import { putCard } from '../../../testing/fixtures/directory-samples'
import {
  createLinkedRetailer,
  createMember,
  createSession,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { findSession } from '../../people/accounts/sessions.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { pageAuditEntries } from '../../people/audit/audit-log'
import { createGroup } from '../groups/groups'
import { createMergedAddress, getMergedFile, saveMergedFile } from '../merged-files/merged-file'
import { deleteRetailer, getOwnRetailer } from '../retailers/retailers'
import { approveRequest, declineRequest, listRequests } from './answer'
import { requestAccess, withdrawRequest } from './ask'
import { pageDirectory } from './directory'

let deps: TestDeps
let northbeck: UserRecord
let summit: UserRecord
/** A retailer of Northbeck, whose password is its own. */
let shop: UserRecord
let card: string

beforeEach(async () => {
  deps = await openTestDeps()
  northbeck = await createSupplierUser(deps, { companyName: 'Northbeck' })
  summit = await createSupplierUser(deps, { companyName: 'Summit' })
  ;({ user: shop } = await createLinkedRetailer(deps, northbeck))
  await setOwn(shop.id, 'createdAt')
  card = await putCard(deps, summit.id, { name: 'Summit' })
})
afterEach(() => deps.close())

const setOwn = (id: number, since: 'createdAt' | null | number) =>
  deps.db
    .updateTable('users')
    .set(({ ref }) => ({ passwordOwnSince: since === 'createdAt' ? ref('createdAt') : since }))
    .where('id', '=', id)
    .execute()
const ask = (by = shop, to = card) =>
  requestAccess(deps, by, { card: to, storeName: 'Corner Shop', message: 'We sell shoes.' })
const see = async (by = shop, q = '') => (await pageDirectory(deps, by, { q, page: 1 })).cards
const stateOf = async () => (await see())[0]?.state
const waiting = async (supplier = summit) => (await listRequests(deps, supplier)).requests
const approve = async (groupId?: number | null) => {
  const [request] = await waiting()
  return approveRequest(deps, summit, { id: request!.id, groupId })
}
const suppliersOf = async (userId: number) =>
  (
    await deps.db
      .selectFrom('retailers')
      .select('supplierId')
      .where('userId', '=', userId)
      .execute()
  )
    .map(({ supplierId }) => supplierId)
    .toSorted((a, b) => a - b)

describe('the directory', () => {
  it('has the cards that are published, of suppliers who are there and stay, and nothing of others', async () => {
    expect((await see()).map(({ name }) => name)).toEqual(['Summit'])
    expect(await see(shop, 'summit')).toHaveLength(1)
    expect(await see(shop, 'northbeck')).toEqual([])
    await putCard(deps, summit.id, { categories: ['Pipes 12" wide', 'Hats'] })
    expect(await see(shop, '12" hats')).toHaveLength(1)
    for (const q of ['[', '","', '\\"', 'wide"']) expect(await see(shop, q)).toEqual([])
    const hide = async (change: () => Promise<unknown>, back: () => Promise<unknown>) => {
      await change()
      expect(await see()).toEqual([])
      await expect(ask()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'Card not found' })
      await back()
      expect(await see()).toHaveLength(1)
    }
    await hide(
      () => putCard(deps, summit.id, { isPublished: false }),
      () => putCard(deps, summit.id),
    )
    const active = (isActive: boolean) =>
      deps.db.updateTable('users').set({ isActive }).where('id', '=', summit.id).execute()
    await hide(
      () => active(false),
      () => active(true),
    )
    const leaves = (deletionAt: number | null) =>
      deps.db.updateTable('users').set({ deletionAt }).where('id', '=', summit.id).execute()
    await hide(
      () => leaves(1),
      () => leaves(null),
    )
    // The same as for what never was.
    await expect(ask(shop, 'x'.repeat(43))).rejects.toMatchObject({ message: 'Card not found' })
  })

  it('names suppliers by what nobody can count or guess', async () => {
    const [one] = await see()
    expect(one?.card).toHaveLength(43)
    expect(Object.keys(one!)).not.toContain('supplierId')
  })
})

describe('a request', () => {
  it('is told to the supplier, with what the retailer says of itself and nothing else', async () => {
    await ask()
    expect(await stateOf()).toBe('pending')
    expect(await waiting()).toEqual([
      {
        id: expect.any(Number) as number,
        storeName: 'Corner Shop',
        storeUrl: null,
        message: 'We sell shoes.',
        createdAt: expect.any(String) as string,
      },
    ])
    expect(await waiting(northbeck)).toEqual([])
    const events = await deps.db.selectFrom('events').selectAll().execute()
    expect(events).toMatchObject([
      { kind: 'retailer.asks', supplierId: summit.id, details: { storeName: 'Corner Shop' } },
    ])
  })

  it('that is accepted makes a retailer in the group of newcomers, or the one that is chosen', async () => {
    const nothing = { allProducts: false, categories: [] }
    const input = { name: 'New', visibilitySettings: nothing, isForNewcomers: true }
    await createGroup(deps, summit, createGroupInput.parse(input))
    await ask()
    const id = await approve()
    expect(await getOwnRetailer(deps, shop, id)).toMatchObject({
      storeName: 'Corner Shop',
      visibilitySettings: nothing,
    })
    expect(await stateOf()).toBe('supplier')
    expect(await waiting()).toEqual([])
    await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  it('is accepted into no group of another supplier', async () => {
    const other = await createGroup(deps, northbeck, createGroupInput.parse({ name: 'Others' }))
    await ask()
    await expect(approve(other.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await suppliersOf(shop.id)).toEqual([northbeck.id])
    expect(await waiting()).toHaveLength(1)
  })

  it('counts to the retailers that the supplier may have', async () => {
    await ask()
    await deps.db.updateTable('users').set({ maxRetailers: 1 }).execute()
    const limited = { ...summit, maxRetailers: 1 }
    await createLinkedRetailer(deps, limited)
    const [request] = await waiting()
    await expect(approveRequest(deps, limited, { id: request!.id })).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    })
    expect(await waiting()).toHaveLength(1)
  })

  it('that is declined is so without a reason, and can be repeated after a pause', async () => {
    await ask()
    await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' })
    const [request] = await waiting()
    await expect(declineRequest(deps, northbeck, request!.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await declineRequest(deps, summit, request!.id)
    expect(await stateOf()).toBe('declined')
    await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' })
    deps.clock.advance(31 * DAY_MS)
    await ask()
    expect(await stateOf()).toBe('pending')
  })

  it('can be withdrawn by who made it alone', async () => {
    await ask()
    const { user: other } = await createLinkedRetailer(deps, northbeck)
    await expect(withdrawRequest(deps, other, card)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await withdrawRequest(deps, shop, card)
    expect(await waiting()).toEqual([])
    expect(await stateOf()).toBe('none')
  })

  it('is listed, without a word of the supplier, and can be withdrawn when its card is hidden', async () => {
    await ask()
    const read = () => pageDirectory(deps, shop, { q: '', page: 1 })
    expect(await read()).toMatchObject({ openCount: 1, hiddenRequests: [] })
    await deps.db.updateTable('supplierCards').set({ isPublished: false }).execute()
    const askedAt = new Date(deps.clock.now()).toISOString()
    expect(await read()).toEqual({
      cards: [],
      matchCount: 0,
      page: 1,
      pageCount: 1,
      openCount: 1,
      hiddenRequests: [{ card, askedAt }],
    })
    await withdrawRequest(deps, shop, card)
    expect(await read()).toMatchObject({ openCount: 0, hiddenRequests: [] })
    expect(await waiting()).toEqual([])
  })

  it('is one of ten that wait at most', async () => {
    for (let count = 0; count < 10; count++) {
      await ask(shop, await putCard(deps, (await createSupplierUser(deps)).id))
    }
    await expect(ask()).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })

  it('stands in the log of the supplier that is asked, and in that of no other', async () => {
    await ask()
    await approve(null)
    const actionsOf = async (supplier: UserRecord) =>
      (await pageAuditEntries(deps, supplier, {})).rows.map(({ action }) => action)
    expect(await actionsOf(summit)).toEqual(
      expect.arrayContaining(['request.create', 'request.accept', 'retailer.create']),
    )
    expect((await actionsOf(northbeck)).filter((action) => action.startsWith('request.'))).toEqual(
      [],
    )
  })
})

describe('a login that its first supplier may know', () => {
  it('asks nobody, and gets no second supplier when that came between', async () => {
    await setOwn(shop.id, null)
    await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' })
    await setOwn(shop.id, 'createdAt')
    const member = await createMember(deps, shop, 'BUYER')
    await setOwn(member.id, null)
    await expect(ask()).rejects.toMatchObject({ code: 'CONFLICT' })
    await setOwn(member.id, 'createdAt')
    await ask()
    // As by a reset of its supplier.
    await setOwn(shop.id, null)
    await expect(approve()).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'This request holds no more. The retailer has to ask again.',
    })
    expect(await suppliersOf(shop.id)).toEqual([northbeck.id])
    expect(await waiting()).toEqual([])
  })

  it('leaves no session behind from before its password became its own', async () => {
    await ask()
    const before = await createSession(deps, shop)
    await setOwn(shop.id, deps.clock.now() + 1)
    await approve()
    expect(await findSession(deps.db, before, deps.clock.now())).toBeUndefined()
    expect(await suppliersOf(shop.id)).toEqual([northbeck.id, summit.id])
  })

  it('leaves no address of its merged file behind from before, which would give away the new files', async () => {
    const settings = { rules: {}, profile: { kind: 'asIs' } }
    const { id: retailerId } = await deps.db
      .selectFrom('retailers')
      .select('id')
      .where('userId', '=', shop.id)
      .executeTakeFirstOrThrow()
    const parts = [{ retailerId, prefix: 'N-' }]
    await saveMergedFile(deps, shop, saveMergedFileInput.parse({ ...settings, parts }))
    await createMergedAddress(deps, shop, { endsOthers: false })
    await ask()
    await setOwn(shop.id, deps.clock.now() + 1)
    await approve()
    expect((await getMergedFile(deps, shop)).addresses).toEqual([])
  })

  it('goes on with the other supplier when one ends what is between them', async () => {
    await ask()
    const id = await approve()
    await deleteRetailer(deps, summit, id)
    expect(await suppliersOf(shop.id)).toEqual([northbeck.id])
    // It is not told as an answer, and may be asked again after the pause.
    expect((await see())[0]).toMatchObject({ state: 'none', askAgainAt: expect.any(String) })
  })
})
