import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { updateSupplier } from '../../features/operations/suppliers/suppliers'
import {
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

let testApp: TestApp

beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

const listSessions = () => testApp.deps.db.selectFrom('sessions').selectAll().execute()

/** The status of GET /api/user with this cookie. */
async function statusOf(cookie: string | undefined): Promise<number> {
  return (await testApp.client(cookie).request('GET', '/api/user')).status
}

const changePassword = (client: Client, currentPassword = PASSWORD) =>
  client.request('POST', '/api/admin/reset-password', {
    currentPassword,
    newPassword: 'another horse',
  })

describe('signing in', () => {
  it('starts a session with a new id, and ends the one of the request', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = await testApp.signIn(supplier)
    const before = client.cookie
    await client.request('POST', '/api/login', { username: supplier.username, password: PASSWORD })
    expect(client.cookie).not.toBe(before)
    expect(await statusOf(client.cookie)).toBe(200)
    expect(await statusOf(before)).toBe(401)
    expect(await listSessions()).toHaveLength(1)
  })

  it('never reuses a session id sent by the client', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const leftover = (await testApp.signIn(supplier)).cookie
    await testApp.client(leftover).request('POST', '/api/logout')
    const client = testApp.client(leftover)
    await client.request('POST', '/api/login', { username: supplier.username, password: PASSWORD })
    expect(client.cookie).not.toBe(leftover)
    expect(await statusOf(leftover)).toBe(401)
  })

  it('keeps the current session when the password is wrong', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = await testApp.signIn(supplier)
    const before = client.cookie
    const { status } = await client.request('POST', '/api/login', {
      username: supplier.username,
      password: 'wrong',
    })
    expect([status, client.cookie, await statusOf(before)]).toEqual([401, before, 200])
  })
})

describe('the sessions of one user', () => {
  it('are at most fifty: the next sign-in ends the oldest', async () => {
    const { deps } = testApp
    const supplier = await createSupplierUser(deps)
    const other = await testApp.signIn(await createSupplierUser(deps))
    const cookies: (string | undefined)[] = []
    for (let count = 0; count < 52; count += 1) {
      deps.clock.advance(2_000)
      cookies.push((await testApp.signIn(supplier)).cookie)
    }
    const statuses = await Promise.all(cookies.map(statusOf))
    expect(statuses).toEqual([401, 401, ...Array<number>(50).fill(200)])
    expect(await statusOf(other.cookie)).toBe(200)
    expect(await listSessions()).toHaveLength(51)
  })
})

describe('registering', () => {
  const account = {
    username: 'newcomer',
    password: PASSWORD,
    contactEmail: 'new@example.com',
    companyName: 'New',
  }

  it('signs a new user in with a new session id', async () => {
    const stale = await testApp.signIn(await createSupplierUser(testApp.deps))
    const leftover = stale.cookie
    await stale.request('POST', '/api/logout')
    const client = testApp.client(leftover)
    expect((await client.request('POST', '/api/register', account)).status).toBe(201)
    expect(client.cookie).toBeDefined()
    expect(client.cookie).not.toBe(leftover)
    const { body } = await client.request('GET', '/api/user')
    expect(body).toMatchObject({ username: 'newcomer' })
  })

  it('does not change the session of a supplier who registers a retailer', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = await testApp.signIn(supplier)
    const response = await client.request('POST', '/api/register', { ...account, role: 'RETAILER' })
    expect(response.status).toBe(201)
    expect(response.headers).not.toHaveProperty('set-cookie')
    const { body } = await client.request('GET', '/api/user')
    expect(body).toMatchObject({ id: supplier.id })
  })
})

describe('a stored session', () => {
  it('contains only the hash of its id', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const [, value = ''] = client.cookie!.split('=')
    const [id = ''] = decodeURIComponent(value).split('.')
    const [row] = await listSessions()
    expect(row?.idHash).toBe(createHash('sha256').update(id).digest('hex'))
    expect(JSON.stringify(row)).not.toContain(id)
  })

  it('is not created for visitors who do not sign in', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = testApp.client()
    await client.request('GET', '/api/user')
    await client.call('query', 'session.current')
    await client.request('POST', '/api/login', { username: supplier.username, password: 'wrong' })
    await client.request('POST', '/api/logout')
    expect(client.cookie).toBeUndefined()
    expect(await listSessions()).toEqual([])
  })
})

describe('logging out', () => {
  it('clears the cookie and ends the session on the server', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const { cookie } = client
    const response = await client.request('POST', '/api/logout')
    expect(response.status).toBe(200)
    expect(client.cookie).toBeUndefined()
    expect(await statusOf(cookie)).toBe(401)
    expect(await listSessions()).toEqual([])
  })

  it('does not affect sessions on other devices', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const [here, there] = [await testApp.signIn(supplier), await testApp.signIn(supplier)]
    await here.request('POST', '/api/logout')
    expect(await statusOf(there.cookie)).toBe(200)
  })

  it('succeeds again with the same cookie', async () => {
    const client = await testApp.signIn(await createSupplierUser(testApp.deps))
    const { cookie } = client
    await client.request('POST', '/api/logout')
    expect((await testApp.client(cookie).request('POST', '/api/logout')).status).toBe(200)
  })
})

describe('changing one’s own password', () => {
  it('keeps this session, under a new id, and ends the others', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const [here, there] = [await testApp.signIn(supplier), await testApp.signIn(supplier)]
    const before = here.cookie
    const { status, body } = await changePassword(here)
    expect([status, body]).toEqual([200, { message: 'Password updated' }])
    expect(here.cookie).not.toBe(before)
    expect(await statusOf(here.cookie)).toBe(200)
    expect(await statusOf(before)).toBe(401)
    expect(await statusOf(there.cookie)).toBe(401)
  })

  it('ends no session when the current password is wrong', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const [here, there] = [await testApp.signIn(supplier), await testApp.signIn(supplier)]
    const before = here.cookie
    expect((await changePassword(here, 'wrong')).status).toBe(400)
    expect([here.cookie, await statusOf(there.cookie)]).toEqual([before, 200])
  })
})

describe('all sessions of a user are ended by', () => {
  it('a reset of the password', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const { user } = await createLinkedRetailer(testApp.deps, supplier)
    const retailer = await testApp.signIn(user)
    const client = await testApp.signIn(supplier)
    await client.request('PATCH', `/api/users/${user.id}/reset-password`, {
      newPassword: 'another horse',
    })
    expect([await statusOf(retailer.cookie), await statusOf(client.cookie)]).toEqual([401, 200])
  })

  it('a new password for an unlinked login', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const login = await createRetailerUser(testApp.deps, supplier)
    const retailer = await testApp.signIn(login)
    const client = await testApp.signIn(supplier)
    const account = { username: login.username, password: 'another horse', role: 'RETAILER' }
    expect((await client.request('POST', '/api/register', account)).status).toBe(201)
    expect(await statusOf(retailer.cookie)).toBe(401)
  })

  it('the deactivation of the supplier, even when it is reactivated later', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = await testApp.signIn(supplier)
    await updateSupplier(testApp.deps, { id: supplier.id, isActive: false })
    expect(await statusOf(client.cookie)).toBe(401)
    await updateSupplier(testApp.deps, { id: supplier.id, isActive: true })
    expect(await statusOf(client.cookie)).toBe(401)
  })

  it('the deletion of the retailer', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
    const retailer = await testApp.signIn(user)
    const client = await testApp.signIn(supplier)
    await client.request('DELETE', `/api/retailers/${id}`)
    expect(await statusOf(retailer.cookie)).toBe(401)
    expect((await listSessions()).map((row) => row.userId)).toEqual([supplier.id])
  })
})

describe('the user of a session', () => {
  it('has the role that is in the database at the time of the request', async () => {
    const admin = await createAdmin(testApp.deps)
    const client = await testApp.signIn(admin)
    expect((await client.request('GET', '/api/suppliers')).status).toBe(200)
    await testApp.deps.db.updateTable('users').set({ role: 'SUPPLIER' }).execute()
    expect((await client.request('GET', '/api/suppliers')).status).toBe(403)
    expect((await client.call('query', 'suppliers.page', {})).status).toBe(403)
  })

  it('is signed out while inactive in the database', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const client = await testApp.signIn(supplier)
    await testApp.deps.db.updateTable('users').set({ isActive: false }).execute()
    expect((await client.request('GET', '/api/retailers')).status).toBe(401)
    expect((await client.call('query', 'retailers.page', {})).status).toBe(401)
  })
})
