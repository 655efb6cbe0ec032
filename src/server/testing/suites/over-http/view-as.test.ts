import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { VIEW_AS_MINUTES } from '../../../../shared/constants'
import { MINUTE_MS } from '../../../../shared/durations'
import type { CurrentUser } from '../../../../shared/schemas/user'
import { deleteRetailer } from '../../../features/distribution/retailers/retailers'
import {
  createAdmin,
  createLinkedRetailer,
  createMember,
  createSupplierUser,
  PASSWORD,
} from '../../fixtures/factories'
import { cleanUp } from '../../stages/clean-up'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let testApp: TestApp
let supplier: Awaited<ReturnType<typeof createSupplierUser>>
let admin: Awaited<ReturnType<typeof createAdmin>>
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  admin = await createAdmin(testApp.deps)
  client = await testApp.signIn(admin)
})
afterEach(() => testApp.close())

const view = (userId: number) => client.call('mutation', 'viewings.begin', { userId })

async function whoAmI(of = client) {
  const { body } = await of.call('query', 'session.current')
  return (body as { result: { data: CurrentUser | null } }).result.data
}

const listViews = () =>
  testApp.deps.db
    .selectFrom('auditEntries')
    .select(['action', 'at', 'actorId', 'subjectId', 'supplierId'])
    .where('action', 'in', ['user.view', 'user.stop-viewing'])
    .orderBy('id')
    .execute()

describe('viewing as another user', () => {
  it('is recorded when it begins and when it is stopped, for the administrator and the supplier', async () => {
    await view(supplier.id)
    expect(await whoAmI()).toMatchObject({ id: supplier.id, viewedUntil: expect.any(String) })
    testApp.deps.clock.advance(MINUTE_MS)
    await client.call('mutation', 'viewings.stop')
    expect(await whoAmI()).toMatchObject({ id: admin.id })
    const entry = { actorId: admin.id, subjectId: supplier.id, supplierId: supplier.id }
    const now = testApp.deps.clock.now()
    expect(await listViews()).toEqual([
      { action: 'user.view', at: now - MINUTE_MS, ...entry },
      { action: 'user.stop-viewing', at: now, ...entry },
    ])
  })

  it('can be as a member of a company, with what is that person’s', async () => {
    const member = await createMember(testApp.deps, supplier, 'VIEWER')
    const colleague = await testApp.signIn(supplier)
    await view(member.id)
    expect(await whoAmI()).toMatchObject({
      id: supplier.id,
      username: member.username,
      member: { id: member.id, role: 'VIEWER' },
    })
    expect(await whoAmI(colleague)).toMatchObject({ id: supplier.id, username: supplier.username })
    const { body } = await client.call('query', 'people.list', {})
    expect((body as { result: { data: object[] } }).result.data).toMatchObject([
      { id: supplier.id, isSelf: false },
      { id: member.id, isSelf: true },
    ])
    expect(await listViews()).toMatchObject([{ subjectId: member.id, supplierId: supplier.id }])
    await client.call('mutation', 'viewings.stop')
    expect(await whoAmI()).toMatchObject({ id: admin.id })
  })

  it('ends by itself, and its end is recorded at that time', async () => {
    await view(supplier.id)
    const endsAt = testApp.deps.clock.now() + VIEW_AS_MINUTES * MINUTE_MS
    testApp.deps.clock.advance(VIEW_AS_MINUTES * MINUTE_MS)
    expect(await whoAmI()).toMatchObject({ id: admin.id })
    testApp.deps.clock.advance(5 * MINUTE_MS)
    await cleanUp(testApp.deps)
    expect((await listViews()).map(({ action, at }) => [action, at])).toEqual([
      ['user.view', expect.any(Number)],
      ['user.stop-viewing', endsAt],
    ])
  })

  it('ends with the session, whichever way that ends', async () => {
    await view(supplier.id)
    await client.request('POST', '/api/logout')
    expect(await listViews()).toHaveLength(2)
    client = await testApp.signIn(admin)
    await view(supplier.id)
    await testApp.deps.db.deleteFrom('sessions').execute()
    expect(await whoAmI()).toBeNull()
    await cleanUp(testApp.deps)
    expect(await listViews()).toHaveLength(4)
  })

  it('is of one session: others of the administrator go on as before', async () => {
    const other = await testApp.signIn(admin)
    await view(supplier.id)
    expect(await whoAmI(other)).toMatchObject({ id: admin.id })
  })

  it('ends when the user is deactivated or deleted meanwhile', async () => {
    await view(supplier.id)
    const other = await testApp.signIn(admin)
    await other.request('PATCH', `/api/suppliers/${supplier.id}`, { isActive: false })
    expect(await whoAmI()).toMatchObject({ id: admin.id })
    const retailer = await createLinkedRetailer(testApp.deps, supplier)
    await view(retailer.user.id)
    await deleteRetailer(testApp.deps, admin, retailer.id)
    expect(await whoAmI()).toMatchObject({ id: admin.id })
  })

  it('cannot be of an administrator or an inactive user, nor begun while another is open', async () => {
    const { id } = await createAdmin(testApp.deps)
    expect((await view(id)).status).toBe(404)
    await client.request('PATCH', `/api/suppliers/${supplier.id}`, { isActive: false })
    expect((await view(supplier.id)).status).toBe(409)
    const second = await createSupplierUser(testApp.deps)
    await view(second.id)
    expect((await view(second.id)).status).toBe(403)
  })

  it('cannot sign in as somebody, nor change the password', async () => {
    await view(supplier.id)
    const { username } = supplier
    const login = await client.request('POST', '/api/login', { username, password: PASSWORD })
    const passwords = { currentPassword: PASSWORD, newPassword: 'another horse' }
    const change = await client.request('POST', '/api/admin/reset-password', passwords)
    expect([login.status, change.status]).toEqual([403, 403])
  })
})
