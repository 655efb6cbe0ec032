import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  createAdmin,
  createLinkedRetailer,
  createRetailerUser,
  createSupplierUser,
  PASSWORD,
} from '../../testing/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'

let testApp: TestApp
let admin: Client

beforeEach(async () => {
  testApp = await openTestApp()
  admin = await testApp.signIn(await createAdmin(testApp.deps))
})
afterEach(() => testApp.close())

const account = {
  username: 'acme',
  password: PASSWORD,
  companyName: 'Acme Ltd',
  contactEmail: 'stock@acme.example',
}
const create = (more: object = {}) =>
  admin.request('POST', '/api/suppliers', { ...account, ...more })
const update = (id: number, changes: object) =>
  admin.request('PATCH', `/api/suppliers/${id}`, changes)
const list = async () => (await admin.request('GET', '/api/suppliers')).body

describe('creating a supplier', () => {
  it('returns the account without secrets, and the supplier can sign in', async () => {
    const { status, body } = await create({ maxRetailers: 25 })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number) as number,
      username: 'acme',
      role: 'SUPPLIER',
      isActive: true,
      companyName: 'Acme Ltd',
      maxRetailers: 25,
      contactEmail: 'stock@acme.example',
      displayName: null,
      photoURL: null,
      createdAt: new Date(testApp.deps.clock.now()).toISOString(),
    })
    await testApp.signIn({ username: 'acme' })
  })

  it('sets the limit to ten retailers by default', async () => {
    expect((await create()).body).toMatchObject({ maxRetailers: 10 })
  })

  it('ignores fields that the input schema does not have', async () => {
    const { body } = await create({
      role: 'SUPER_ADMIN',
      isActive: false,
      id: 77,
      googleUid: 'x',
      displayName: 'Boss',
      createdAt: '2001-01-01T00:00:00.000Z',
    })
    expect(body).toMatchObject({ role: 'SUPPLIER', isActive: true, displayName: null })
    expect(body).not.toMatchObject({ id: 77 })
  })

  it.each(['acme', 'ACME', 'ａｃｍｅ'])('refuses the taken username %s', async (username) => {
    await create()
    const { status, body } = await create({ username })
    expect([status, body]).toEqual([409, { message: 'This username is already taken' }])
    expect(await list()).toHaveLength(1)
  })

  it.each([
    [{ companyName: ' ' }, 'Company name is required'],
    [{ companyName: undefined }, 'Company name is required'],
    [{ contactEmail: 'nobody' }, 'Invalid email address'],
    [{ contactEmail: undefined }, 'Invalid email address'],
    [{ password: '' }, 'Password must be at least 6 characters'],
    [{ password: undefined }, 'Password is required'],
    [{ username: '   ' }, 'Username is required'],
    [{ username: 'a\u0000b' }, 'Username contains characters that are not allowed'],
    [{ username: 'a\u202Eb' }, 'Username contains characters that are not allowed'],
    [{ username: 'acme\u200B' }, 'Username contains characters that cannot be seen'],
    [
      { username: 'асme' },
      'Username must keep to the letters of one script, such as Latin or Cyrillic',
    ],
    [{ username: 'x'.repeat(101) }, 'Username must be at most 100 characters'],
    [{ maxRetailers: 0 }, 'Max retailers must be at least 1'],
    [{ maxRetailers: '10' }, 'Max retailers must be a number'],
    [{ maxRetailers: 1.5 }, 'Max retailers must be a whole number'],
    [{ maxRetailers: null }, 'Max retailers must be a number'],
  ])('returns 400 with the reason for %j', async (wrong, message) => {
    const { status, body } = await create(wrong)
    expect([status, body]).toEqual([400, { message }])
    expect(await list()).toEqual([])
  })
})

describe('listing suppliers', () => {
  it('shows suppliers only', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    await createLinkedRetailer(testApp.deps, supplier)
    expect(await list()).toEqual([expect.objectContaining({ id: supplier.id, role: 'SUPPLIER' })])
  })
})

describe('changing a supplier', () => {
  it.each([
    [{ companyName: 'Renamed' }],
    [{ contactEmail: 'new@acme.example' }],
    [{ maxRetailers: 3 }],
    [{ isActive: false }],
    [{}],
  ])('changes %j and nothing else', async (changes) => {
    const { body } = await create()
    const { id } = body as { id: number }
    const response = await update(id, changes)
    expect([response.status, response.body]).toEqual([200, { ...(body as object), ...changes }])
    expect(await list()).toEqual([response.body])
  })

  it('ignores id, username, role and password', async () => {
    const { body } = await create()
    const { id } = body as { id: number }
    const changes = { id: 1, username: 'other', role: 'SUPER_ADMIN', password: 'another horse' }
    expect((await update(id, changes)).body).toEqual(body)
    await testApp.signIn({ username: 'acme' })
  })

  it.each([
    [{ isActive: 'false' }, 'isActive must be true or false'],
    [{ isActive: null }, 'isActive must be true or false'],
    [{ companyName: '' }, 'Company name is required'],
    [{ maxRetailers: -1 }, 'Max retailers must be at least 1'],
  ])('returns 400 for %j', async (changes, message) => {
    const supplier = await createSupplierUser(testApp.deps)
    const { status, body } = await update(supplier.id, changes)
    expect([status, body]).toEqual([400, { message }])
  })

  it('returns 404 for retailers and administrators', async () => {
    const retailer = await createRetailerUser(testApp.deps)
    const boss = await createAdmin(testApp.deps)
    for (const { id } of [retailer, boss, { id: 4_711 }]) {
      const { status, body } = await update(id, { isActive: false })
      expect([status, body]).toEqual([404, { message: 'Supplier not found' }])
    }
  })
})

describe('a deactivated supplier', () => {
  it('cannot sign in, and gets the same response as for a wrong password', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    await update(supplier.id, { isActive: false })
    const { username } = supplier
    const attempt = (password: string) =>
      testApp.client().request('POST', '/api/login', { username, password })
    const [right, wrong] = [await attempt(PASSWORD), await attempt('wrong')]
    expect([right.status, right.body]).toEqual([401, { message: 'Invalid username or password' }])
    expect(wrong.body).toEqual(right.body)
  })

  it('can sign in again after reactivation', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    await update(supplier.id, { isActive: false })
    await update(supplier.id, { isActive: true })
    await expect(testApp.signIn(supplier)).resolves.toBeDefined()
  })

  it('does not affect its retailers’ sessions', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const { user } = await createLinkedRetailer(testApp.deps, supplier)
    const retailer = await testApp.signIn(user)
    await update(supplier.id, { isActive: false })
    expect((await retailer.request('GET', '/api/user')).status).toBe(200)
  })
})

describe('lowering a supplier’s limit', () => {
  it('keeps the existing retailers and refuses new ones', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    await createLinkedRetailer(testApp.deps, supplier)
    await createLinkedRetailer(testApp.deps, supplier)
    await update(supplier.id, { maxRetailers: 1 })
    const client = await testApp.signIn(supplier)
    expect((await client.request('GET', '/api/retailers')).body).toHaveLength(2)
    const login = { username: 'third', password: PASSWORD, role: 'RETAILER' }
    const { status, body } = await client.request('POST', '/api/register', login)
    expect([status, body]).toEqual([409, { message: 'Retailer limit reached (1 of 1)' }])
  })
})
