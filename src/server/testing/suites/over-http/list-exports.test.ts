import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { UserRecord } from '../../../features/people/accounts/users.queries'
import { createAdmin, createLinkedRetailer, createSupplierUser } from '../../fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

let testApp: TestApp
let supplier: UserRecord
let other: UserRecord
let client: Client

beforeEach(async () => {
  testApp = await openTestApp()
  supplier = await createSupplierUser(testApp.deps)
  other = await createSupplierUser(testApp.deps)
  client = await testApp.signIn(supplier)
})
afterEach(() => testApp.close())

const openAdmin = async () => testApp.signIn(await createAdmin(testApp.deps))

/** The lines of an export without its header. */
async function exported(caller: Client, path: string) {
  const { status, text } = await caller.request('GET', path)
  expect(status).toBe(200)
  return text.split('\r\n').slice(1, -1)
}

const addRetailer = async (owner: UserRecord, storeName: string) => {
  const { id } = await createLinkedRetailer(testApp.deps, owner)
  await testApp.deps.db.updateTable('retailers').set({ storeName }).where('id', '=', id).execute()
  return id
}

const stores = (lines: string[]) => lines.map((line) => line.split(',')[1])

describe('the export of the list of retailers', () => {
  it("has a supplier's own, whatever it asks for, as searched and sorted", async () => {
    await addRetailer(supplier, 'Alpine North')
    await addRetailer(supplier, 'Alpine South')
    await addRetailer(supplier, 'Seaside')
    await addRetailer(other, 'Alpine Foreign')
    const path = `/api/retailers.csv?q=alpine&sort=-storeName&supplierId=${other.id}`
    expect(stores(await exported(client, path))).toEqual(['Alpine South', 'Alpine North'])
  })

  it('has those that read so', async () => {
    await addRetailer(supplier, 'Alpine')
    expect(await exported(client, '/api/retailers.csv?reading=day')).toEqual([])
    expect(stores(await exported(client, '/api/retailers.csv?reading=never'))).toEqual(['Alpine'])
  })

  it('has no formulas', async () => {
    await addRetailer(supplier, '=1+2')
    expect(stores(await exported(client, '/api/retailers.csv'))).toEqual(["'=1+2"])
  })

  it('has those of one supplier for administrators', async () => {
    await addRetailer(supplier, 'Alpine')
    await addRetailer(other, 'Seaside')
    const admin = await openAdmin()
    const path = `/api/retailers.csv?supplierId=${other.id}`
    expect(stores(await exported(admin, path))).toEqual(['Seaside'])
    expect((await admin.request('GET', '/api/retailers.csv?supplierId=999999')).status).toBe(404)
  })

  it('has the rows of all pages', async () => {
    const { id } = await createLinkedRetailer(testApp.deps, supplier)
    const { db } = testApp.deps
    const row = await db
      .selectFrom('retailers')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const user = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', row.userId)
      .executeTakeFirstOrThrow()
    for (let copy = 1; copy <= 120; copy += 1) {
      const username = `copy-${copy}`
      const added = { ...user, id: 10_000 + copy, username, usernameKey: username }
      await db.insertInto('users').values(added).execute()
      await db
        .insertInto('retailers')
        .values({ ...row, id: 10_000 + copy, userId: added.id })
        .execute()
    }
    const lines = await exported(client, '/api/retailers.csv')
    expect(new Set(lines).size).toBe(121)
  })
})

describe('the export of the list of suppliers', () => {
  it('has those that the search finds, for administrators', async () => {
    const admin = await openAdmin()
    const lines = await exported(admin, `/api/suppliers.csv?q=${supplier.username}`)
    expect(lines.map((line) => line.split(',')[2])).toEqual([supplier.username])
    expect((await client.request('GET', '/api/suppliers.csv')).status).toBe(403)
  })

  it('is a file that is saved, is not stored, and has a known filter', async () => {
    const admin = await openAdmin()
    const { headers } = await admin.request('GET', '/api/suppliers.csv')
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="suppliers.csv"',
      'cache-control': 'private, no-store',
    })
    expect((await admin.request('GET', '/api/suppliers.csv?sort=unknown')).status).toBe(400)
  })
})
