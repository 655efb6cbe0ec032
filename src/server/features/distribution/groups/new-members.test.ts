import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createGroupInput } from '../../../../shared/schemas/group'
import { inviteRetailerInput } from '../../../../shared/schemas/invitation'
import { createRetailerInput } from '../../../../shared/schemas/retailer'
import { createRetailerUser, createSupplierUser } from '../../../testing/fixtures/factories'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { acceptInvitation } from '../../people/invitations/acceptance'
import { inviteRetailer } from '../../people/invitations/invitations'
import { createRetailer, getRetailer } from '../retailers/retailers'
import { createGroup, deleteGroup, updateGroup } from './groups'
import { getMembership } from './members'

const HATS = { allProducts: false, categories: ['Hats'] }

let deps: TestDeps
let supplier: UserRecord
let other: UserRecord
beforeEach(async () => {
  deps = await openTestDeps()
  supplier = await createSupplierUser(deps, { maxRetailers: 100 })
  other = await createSupplierUser(deps, { maxRetailers: 100 })
})
afterEach(() => deps.close())

const makeGroup = (by = supplier) =>
  createGroup(
    deps,
    by,
    createGroupInput.parse({ name: 'Trade', visibilitySettings: HATS, syncFrequency: 30 }),
  )
async function add(groupId: number) {
  const user = await createRetailerUser(deps, supplier)
  const input = { userId: user.id, storeName: 'Corner', groupId }
  return createRetailer(deps, supplier, createRetailerInput.parse(input))
}
const invite = (groupId: number) =>
  inviteRetailer(deps, supplier, inviteRetailerInput.parse({ storeName: 'Corner', groupId }))
async function accept(path: string | null) {
  await acceptInvitation(
    deps,
    {
      token: path?.split('=')[1] ?? '',
      username: 'corner',
      password: 'correct horse battery',
      contactEmail: 'corner@shop.example',
    },
    '127.0.0.1',
  )
  const { id } = await deps.db.selectFrom('retailers').select('id').executeTakeFirstOrThrow()
  return getRetailer(deps, supplier, id)
}

describe('a retailer that is added or invited with a group', () => {
  it('is a member of it from the start', async () => {
    const { id: groupId } = await makeGroup()
    const added = await add(groupId)
    expect(added).toMatchObject({ visibilitySettings: HATS, syncFrequency: 30 })
    expect(await getMembership(deps, supplier, added.id)).toMatchObject({ groupId, own: [] })
  })

  it('has what the group has when the invitation is accepted', async () => {
    const { id: groupId } = await makeGroup()
    const { path } = await invite(groupId)
    await updateGroup(deps, supplier, { id: groupId, syncFrequency: 5 })
    const accepted = await accept(path)
    expect(accepted).toMatchObject({ visibilitySettings: HATS, syncFrequency: 5 })
    expect(await getMembership(deps, supplier, accepted.id)).toMatchObject({ groupId, own: [] })
  })

  it('sees nothing if the group has gone before the invitation is accepted', async () => {
    const { id: groupId } = await makeGroup()
    const { path } = await invite(groupId)
    await deleteGroup(deps, supplier, groupId)
    const accepted = await accept(path)
    expect(accepted.visibilitySettings).toEqual({ allProducts: false, categories: [] })
  })

  it('is refused with the group of another supplier', async () => {
    const { id } = await makeGroup(other)
    await expect(add(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(invite(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await deps.db.selectFrom('invitations').selectAll().execute()).toEqual([])
  })
})
