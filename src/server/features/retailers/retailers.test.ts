import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { storeDetailsInput } from '../../../shared/schemas/retailer'
import { createLinkedRetailer, createSupplierUser } from '../../testing/factories'
import { openTestApp, type Client, type TestApp } from '../../testing/test-app'
import type { UserRecord } from '../accounts/users.queries'

let testApp: TestApp
let supplier: UserRecord
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps, { companyName: 'Acme Ltd' })
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

describe.each([
  ['basic-info, by its supplier', 'basic-info', 'SUPPLIER'],
  ['store-info, by the retailer itself', 'store-info', 'RETAILER'],
])('%s', (_what, path, role) => {
  async function open() {
    const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
    const by = role === 'SUPPLIER' ? client : await testApp.signIn(user)
    return (body: object) => by.request('PATCH', `/api/retailers/${id}/${path}`, body)
  }

  it('changes the store’s name and address, and nothing else', async () => {
    const patch = await open()
    const before = (await client.request('GET', '/api/retailers')).body as object[]
    const store = { storeName: 'New Name', storeUrl: 'new.example' }
    const { status, body } = await patch({ ...store, supplierId: 1, syncFrequency: 0, id: 99 })
    expect([status, body]).toEqual([200, { ...before[0], ...store }])
  })

  it('keeps an address that is left out, and removes one that is set to empty or null', async () => {
    const patch = await open()
    await patch({ storeName: 'Shop', storeUrl: 'shop.example' })
    expect((await patch({ storeName: 'Shop' })).body).toMatchObject({ storeUrl: 'shop.example' })
    expect((await patch({ storeName: 'Shop', storeUrl: '' })).body).toMatchObject({
      storeUrl: null,
    })
    await patch({ storeName: 'Shop', storeUrl: 'shop.example' })
    expect((await patch({ storeName: 'Shop', storeUrl: null })).body).toMatchObject({
      storeUrl: null,
    })
  })

  it('requires a name', async () => {
    const patch = await open()
    const { status, body } = await patch({ storeName: '  ', storeUrl: 'shop.example' })
    expect([status, body]).toEqual([400, { message: 'Store name is required' }])
  })

  it('refuses an invalid address', async () => {
    const patch = await open()
    const { status, body } = await patch({ storeName: 'Shop', storeUrl: 'javascript:alert(1)' })
    expect([status, body]).toEqual([
      400,
      { message: 'Enter a web address, for example shop.example' },
    ])
  })
})

async function openSettings() {
  const { id } = await createLinkedRetailer(testApp.deps, supplier)
  return (body: object) => client.request('PATCH', `/api/retailers/${id}`, body)
}

describe('the settings of a retailer', () => {
  it.each([
    [{ syncFrequency: 0 }],
    [{ syncFrequency: 525_600 }],
    [{ visibilitySettings: { allProducts: false, categories: ['Hats'] } }],
    [{ connectionType: 'URL', fileFormat: 'CSV' }],
    [{}],
  ])('accept %j and change nothing else', async (changes) => {
    const patch = await openSettings()
    const before = (await client.request('GET', '/api/retailers')).body as object[]
    const { status, body } = await patch(changes)
    expect([status, body]).toEqual([200, { ...before[0], ...changes }])
  })

  it.each([
    [{ syncFrequency: -1 }, 'Sync frequency must be at least 0'],
    [{ syncFrequency: 525_601 }, 'Sync frequency must be at most 525600 minutes'],
    [{ syncFrequency: 1.5 }, 'Sync frequency must be a whole number of minutes'],
    [{ syncFrequency: '60' }, 'Sync frequency must be a number of minutes'],
    [{ syncFrequency: null }, 'Sync frequency must be a number of minutes'],
    [{ connectionType: 'FTP' }, 'FTP is coming soon: only URL can be used today'],
    [{ fileFormat: 'XML' }, 'XML is coming soon: only CSV can be used today'],
  ])('refuse %j with the reason', async (changes, message) => {
    const patch = await openSettings()
    const { status, body } = await patch(changes)
    expect([status, body]).toEqual([400, { message }])
  })
})

async function openPreferences() {
  const { id, user } = await createLinkedRetailer(testApp.deps, supplier)
  const retailer = await testApp.signIn(user)
  return (connectionType?: string, fileFormat?: string) =>
    retailer.request('PATCH', `/api/retailers/${id}/delivery-preferences`, {
      connectionType,
      fileFormat,
    })
}

describe('delivery preferences', () => {
  it('accept URL and CSV', async () => {
    const save = await openPreferences()
    const { status, body } = await save('URL', 'CSV')
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ connectionType: 'URL', fileFormat: 'CSV' }),
    ])
  })

  it.each([
    ['FTP', 'CSV', 'FTP is coming soon: only URL can be used today'],
    ['EMAIL', 'CSV', 'EMAIL is coming soon: only URL can be used today'],
    ['DATABASE', 'CSV', 'DATABASE is coming soon: only URL can be used today'],
    ['URL', 'EXCEL', 'EXCEL is coming soon: only CSV can be used today'],
    ['URL', 'XML', 'XML is coming soon: only CSV can be used today'],
    ['PIGEON', 'CSV', 'Type must be one of URL, FTP, EMAIL, DATABASE'],
    ['URL', 'csv', 'File format must be one of CSV, EXCEL, XML'],
    ['URL', undefined, 'File format must be one of CSV, EXCEL, XML'],
  ])('refuse %s and %s with the reason', async (type, format, message) => {
    const save = await openPreferences()
    const { status, body } = await save(type, format)
    expect([status, body]).toEqual([400, { message }])
    const { body: retailers } = await client.request('GET', '/api/retailers')
    expect(retailers).toMatchObject([{ connectionType: 'URL', fileFormat: 'CSV' }])
  })
})

describe('the address of a store', () => {
  it('is kept as typed, without the spaces around it', () => {
    const store = storeDetailsInput.parse({
      id: 1,
      storeName: 'Shop',
      storeUrl: ' Shop.Example/a ',
    })
    expect(store.storeUrl).toBe('Shop.Example/a')
  })
})
