import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { putDestination } from '../../../testing/fixtures/destinations'
import {
  createAdmin,
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { updateConnection } from '../../catalogue/connections/connections'
import { readOverview } from '../overview/overview'
import { getSupplier, pageSupplierRetailers, pageSuppliers } from './supplier-observation'
import { updateSupplier } from './suppliers'

const CSV = 'sku,qty\r\n1,5\r\n'
const FAILURE = 'The server answered 503 Service Unavailable. The error is on the server side.'

let sourceServer: SourceServer
let deps: TestDeps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/good.csv', { body: CSV })
  sourceServer.set('/bad.csv', { status: 503 })
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

async function addSupplier(companyName: string, path?: string) {
  const supplier = await createSupplierUser(deps, { companyName })
  const connection =
    path && (await createSupplierConnection(deps, supplier, sourceServer.url(path)))
  return { supplier, connectionId: connection ? connection.id : 0 }
}

const readPage = (sort?: string) => pageSuppliers(deps, { q: '', page: 1, sort })
const listNames = async (sort?: string) =>
  (await readPage(sort)).rows.map(({ companyName }) => companyName)

describe('a page of suppliers', () => {
  it('has the health of each connection and the retailers in use', async () => {
    const { supplier, connectionId } = await addSupplier('Good', '/good.csv')
    await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, supplier)
    await addSupplier('Bad', '/bad.csv')
    await addSupplier('New')
    await deps.work()
    const now = new Date(deps.clock.now()).toISOString()
    const { rows } = await readPage('-companyName')
    expect(rows).toMatchObject([
      { companyName: 'New', retailerCount: 0, publishedAt: null, connection: null },
      {
        companyName: 'Good',
        retailerCount: 2,
        publishedAt: now,
        connection: { id: connectionId, status: 'synced', lastSync: now, lastError: null },
      },
      {
        companyName: 'Bad',
        retailerCount: 0,
        publishedAt: null,
        connection: { status: 'failed', lastError: FAILURE, consecutiveFailures: 1 },
      },
    ])
  })

  it('does not contain the addresses of sources', async () => {
    await addSupplier('Good', '/good.csv')
    expect(JSON.stringify(await readPage())).not.toContain(sourceServer.host)
  })

  it('begins with failing connections unless it is sorted', async () => {
    await addSupplier('First', '/good.csv')
    await addSupplier('Second')
    await addSupplier('Third', '/bad.csv')
    expect(await listNames()).toEqual(['First', 'Second', 'Third'])
    await deps.work()
    expect(await listNames()).toEqual(['Third', 'First', 'Second'])
    expect(await listNames('companyName')).toEqual(['First', 'Second', 'Third'])
  })

  it('does not put first what is paused or belongs to an inactive supplier', async () => {
    const paused = await addSupplier('Paused', '/bad.csv')
    const { supplier } = await addSupplier('Inactive', '/bad.csv')
    await addSupplier('Failing', '/bad.csv')
    await deps.work()
    await updateConnection(deps, paused.supplier, { id: paused.connectionId, isActive: false })
    await updateSupplier(deps, { id: supplier.id, isActive: false })
    expect(await listNames()).toEqual(['Failing', 'Paused', 'Inactive'])
    const { rows } = await readPage()
    expect(rows.map(({ connection }) => connection?.status)).toEqual(['failed', 'paused', 'paused'])
  })
})

describe('the overview of a supplier', () => {
  it('has its connection, without the secrets of its source', async () => {
    const { supplier, connectionId } = await addSupplier('Good', '/good.csv')
    await updateConnection(deps, supplier, {
      id: connectionId,
      config: {
        url: sourceServer.url('/good.csv'),
        auth: { type: 'bearer', token: 'secret-token' },
      },
    })
    const overview = await getSupplier(deps, supplier.id)
    expect(overview).toMatchObject({
      companyName: 'Good',
      retailerCount: 0,
      connection: { id: connectionId, config: { url: sourceServer.url('/good.csv') } },
    })
    expect(JSON.stringify(overview)).not.toContain('secret-token')
  })

  it('has the paused destinations of its retailers, and why, as the overview counts them', async () => {
    const { supplier } = await addSupplier('Good')
    const other = await addSupplier('Other')
    const { id, user } = await createLinkedRetailer(deps, supplier)
    const gone = await createLinkedRetailer(deps, supplier)
    await deps.db
      .updateTable('users')
      .set({ isActive: false })
      .where('id', '=', gone.user.id)
      .execute()
    const paused = { pausedAt: deps.clock.now(), pausedReason: FAILURE }
    await putDestination(deps, id, paused)
    await putDestination(deps, id, { ...paused, isActive: false })
    await putDestination(deps, gone.id, paused)
    await putDestination(deps, id)
    expect(await getSupplier(deps, supplier.id)).toMatchObject({
      pausedDestinationCount: 1,
      pausedDestinations: [{ name: 'Warehouse', userId: user.id, reason: FAILURE }],
    })
    const counts = (await readPage('companyName')).rows.map((row) => row.pausedDestinationCount)
    expect(counts).toEqual([1, 0])
    const { pausedDestinations } = await readOverview(deps)
    expect(pausedDestinations).toEqual([
      { supplierId: supplier.id, supplierName: 'Good', count: 1 },
    ])
    expect((await getSupplier(deps, other.supplier.id)).pausedDestinations).toEqual([])
  })

  it('lists only the retailers of that supplier', async () => {
    const { supplier } = await addSupplier('Good')
    const other = await addSupplier('Other')
    const { id } = await createLinkedRetailer(deps, supplier)
    await createLinkedRetailer(deps, other.supplier)
    const page = await pageSupplierRetailers(deps, { id: supplier.id, q: '', page: 1 })
    expect(page).toMatchObject({ totalCount: 1, rows: [{ id, supplierId: supplier.id }] })
  })

  it('exists only for suppliers', async () => {
    const admin = await createAdmin(deps)
    const { user } = await createLinkedRetailer(deps, (await addSupplier('Good')).supplier)
    for (const id of [admin.id, user.id, 999_999]) {
      await expect(getSupplier(deps, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      const page = pageSupplierRetailers(deps, { id, q: '', page: 1 })
      await expect(page).rejects.toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})
