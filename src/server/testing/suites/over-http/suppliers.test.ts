import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { toUser } from '../../../features/people/accounts/accounts'
import { createAdmin, createSupplierUser, PASSWORD, reloadUser } from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let testApp: TestApp
let admin: Client

beforeEach(async () => {
  testApp = await openTestApp()
  admin = await testApp.signIn(await createAdmin(testApp.deps))
})
afterEach(() => testApp.close())

/** The supplier as it is stored, without secrets. */
const stored = async (supplier: { id: number }) => toUser(await reloadUser(testApp.deps, supplier))

describe('a supplier over REST', () => {
  it('is the response to its creation, without secrets, and the item of the list', async () => {
    const contactEmail = 'stock@acme.example'
    const account = { username: 'acme', password: PASSWORD, companyName: 'Acme Ltd', contactEmail }
    const { status, body } = await admin.request('POST', '/api/suppliers', account)
    expect([status, body]).toEqual([201, await stored(body as { id: number })])
    expect((await admin.request('GET', '/api/suppliers')).body).toEqual([body])
  })

  it('is the response to a change, without secrets', async () => {
    const supplier = await createSupplierUser(testApp.deps)
    const changes = { companyName: 'Renamed', isActive: false }
    const url = `/api/suppliers/${supplier.id}`
    const { status, body } = await admin.request('PATCH', url, changes)
    expect([status, body]).toEqual([200, { ...toUser(supplier), ...changes }])
    expect(body).toEqual(await stored(supplier))
  })
})
