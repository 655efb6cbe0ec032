import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createGroupInput, updateGroupInput } from '../../../../shared/schemas/group'
import { createLinkedRetailer, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import {
  changeShopFormat,
  getOwnRetailer,
  getRetailer,
  updateRetailer,
} from '../retailers/retailers'
import { findRetailer } from '../retailers/retailers.queries'
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './groups'
import { assignGroup, followGroup, getMembership } from './members'

let deps: TestDeps
let supplier: UserRecord

beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps, { maxRetailers: 100 })
})
afterEach(() => deps.close())

const create = (input: object) =>
  createGroup(deps, supplier, createGroupInput.parse({ name: 'Boutiques', ...input }))
const update = (id: number, input: object) =>
  updateGroup(deps, supplier, updateGroupInput.parse({ id, ...input }))
const assign = (groupId: number | null, ...ids: number[]) =>
  assignGroup(deps, supplier, { ids, groupId })
const read = async (id: number) => {
  const { syncFrequency, visibilitySettings } = await getRetailer(deps, supplier, id)
  return { syncFrequency, ...visibilitySettings }
}
const shoes = { allProducts: false, categories: ['Shoes'] }
const hats = { allProducts: false, categories: ['Hats'] }

describe('members of a group', () => {
  it('have its settings, and each change of them, until they leave with what they have then', async () => {
    const { id } = await createLinkedRetailer(deps, supplier)
    const group = await create({ visibilitySettings: shoes, syncFrequency: 60 })
    await assign(group.id, id)
    expect(await read(id)).toEqual({ syncFrequency: 60, ...shoes })
    await update(group.id, { visibilitySettings: hats, syncFrequency: 30 })
    expect(await read(id)).toEqual({ syncFrequency: 30, ...hats })
    await assign(null, id)
    await update(group.id, { visibilitySettings: shoes })
    expect(await read(id)).toEqual({ syncFrequency: 30, ...hats })
  })

  it('deviate field by field, and take that back', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    const group = await create({ visibilitySettings: shoes, syncFrequency: 60 })
    await assign(group.id, id)
    // The same as in the group is no deviation.
    await updateRetailer(deps, supplier, { id, syncFrequency: 15, visibilitySettings: shoes })
    expect((await getMembership(deps, supplier, id)).own).toEqual(['syncFrequency'])
    await update(group.id, { syncFrequency: 5, visibilitySettings: hats })
    expect(await read(id)).toEqual({ syncFrequency: 15, ...hats })
    const format = (await findRetailer(deps.db, id, {}))!.profile
    await changeShopFormat(deps, user, id, { ...format, kind: 'stock' })
    expect((await getMembership(deps, supplier, id)).own).toEqual(['syncFrequency', 'profile'])
    expect((await listGroups(deps, supplier))[0]).toMatchObject({
      memberCount: 1,
      deviatingCount: 1,
    })
    const settings = ['syncFrequency', 'profile'] as const
    expect(await followGroup(deps, supplier, { id, settings: [...settings] })).toMatchObject({
      groupName: 'Boutiques',
      own: [],
    })
    expect(await read(id)).toEqual({ syncFrequency: 5, ...hats })
    expect((await findRetailer(deps.db, id, {}))!.profile).toEqual(format)
  })

  it('move to the newest version when what they have from it changes, and only then', async () => {
    const follower = await createLinkedRetailer(deps, supplier)
    const own = await createLinkedRetailer(deps, supplier)
    const group = await create({ syncFrequency: 60 })
    await assign(group.id, follower.id, own.id)
    await updateRetailer(deps, supplier, { id: own.id, syncFrequency: 15 })
    await deps.db.updateTable('retailers').set({ currentSince: deps.clock.now() }).execute()
    const since = async ({ id }: { id: number }) =>
      (await findRetailer(deps.db, id, {}))!.currentSince
    deps.clock.advance(1_000)
    const before = deps.clock.now() - 1_000
    await update(group.id, { syncFrequency: 60, name: 'Shops' })
    expect([await since(follower), await since(own)]).toEqual([before, before])
    await update(group.id, { syncFrequency: 30 })
    expect([await since(follower), await since(own)]).toEqual([null, before])
    deps.clock.advance(1_000)
    await deps.db.updateTable('retailers').set({ currentSince: deps.clock.now() }).execute()
    expect(await since(follower)).toBe(deps.clock.now())
  })

  it('are not told of it: what a retailer reads of itself names no group', async () => {
    const { id, user } = await createLinkedRetailer(deps, supplier)
    await assign((await create({ name: 'Late payers' })).id, id)
    expect(JSON.stringify(await getOwnRetailer(deps, user))).not.toMatch(/group|Late payers/i)
  })
})

describe('groups', () => {
  it('have one name each, and newcomers wait in one at most', async () => {
    const first = await create({ isForNewcomers: true })
    await expect(create({ name: 'BOUTIQUES' })).rejects.toMatchObject({ code: 'CONFLICT' })
    const second = await create({ name: 'Others' })
    await expect(update(second.id, { name: 'boutiques' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await update(second.id, { isForNewcomers: true })
    expect((await getGroup(deps, supplier, first.id)).isForNewcomers).toBe(false)
  })

  it('are deleted when they have no member, so that nobody sees anything else by that', async () => {
    const { id } = await createLinkedRetailer(deps, supplier)
    const group = await create({ visibilitySettings: shoes })
    await assign(group.id, id)
    await expect(deleteGroup(deps, supplier, group.id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: '1 retailer is in this group. Move it first',
    })
    await assign(null, id)
    await deleteGroup(deps, supplier, group.id)
    expect(await read(id)).toMatchObject(shoes)
  })

  it('end with their supplier, with members in them', async () => {
    const { id } = await createLinkedRetailer(deps, supplier)
    await assign((await create({})).id, id)
    await deps.db.deleteFrom('users').where('id', '=', supplier.id).execute()
    expect(await deps.db.selectFrom('retailerGroups').select('id').execute()).toEqual([])
  })

  it('are few', async () => {
    for (let count = 0; count < 50; count++) await create({ name: `Group ${count}` })
    await expect(create({ name: 'One more' })).rejects.toMatchObject({ code: 'LIMIT_REACHED' })
  })
})
