import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import type { LatestFile } from '../../../../shared/schemas/file'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { previewConnection } from '../../catalogue/versions/connection-files'
import type { UserRecord } from '../../people/accounts/users.queries'
import { updateRetailer } from '../retailers/retailers'
import { getLatestFile, previewRetailerFile } from './retailer-files'

const FIRST = 'sku,category\r\n1,Hats\r\n2,Shoes\r\n'
const SECOND = `${FIRST}3,Hats\r\n`

describe('the freshness of a retailer’s file', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let connectionId: number
  let retailer: { id: number; user: UserRecord }

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier)
    sourceServer.set('/feed.csv', { body: FIRST })
    connectionId = (await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv')))
      .id
    await deps.work()
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  async function sync() {
    await deps.db.updateTable('connections').set({ nextSyncAt: deps.clock.now() }).execute()
    await deps.work()
  }

  async function syncTo(body: string) {
    sourceServer.set('/feed.csv', { body })
    await sync()
  }

  type File = Extract<LatestFile, { fileName: string }>

  async function latest(): Promise<File> {
    const file = await getLatestFile(deps, retailer.user, retailer.id)
    if (!('fileName' in file)) throw new Error(file.message)
    return file
  }

  const now = () => new Date(deps.clock.now()).toISOString()
  const restrictTo = (category: string) =>
    updateRetailer(deps, supplier, {
      id: retailer.id,
      visibilitySettings: { allProducts: false, categories: [category] },
    })

  it('is when the source was read, not when the file became the retailer’s', async () => {
    const fetchedAt = now()
    deps.clock.advance(5 * HOUR_MS)
    expect(await latest()).toMatchObject({
      downloadDate: now(),
      dataAsOf: fetchedAt,
      newerFile: null,
    })
  })

  it('is confirmed by a sync that finds the source unchanged, but not by a failed one', async () => {
    deps.clock.advance(HOUR_MS)
    await sync()
    const confirmedAt = now()
    deps.clock.advance(HOUR_MS)
    sourceServer.set('/feed.csv', { status: 500 })
    await sync()
    expect(await latest()).toMatchObject({ dataAsOf: confirmedAt })
    expect(await previewConnection(deps, supplier, connectionId)).toMatchObject({
      dataAsOf: confirmedAt,
    })
  })

  it('of an older file is when the source last had that file', async () => {
    await latest()
    deps.clock.advance(HOUR_MS)
    await sync()
    const lastConfirmedAt = now()
    deps.clock.advance(HOUR_MS)
    await syncTo(SECOND)
    deps.clock.advance(HOUR_MS)
    await sync()
    const preview = await previewRetailerFile(deps, retailer.user, retailer.id)
    expect(preview).toMatchObject({ rowCount: 2, dataAsOf: lastConfirmedAt })
  })

  it('names a newer file, and when and why the retailer gets it', async () => {
    const since = deps.clock.now()
    await latest()
    deps.clock.advance(HOUR_MS)
    await syncTo(SECOND)
    const publishedAt = now()
    const updatesAt = new Date(since + 24 * 0.9 * HOUR_MS).toISOString()
    const newerFile = { publishedAt, updatesAt, reason: 'frequency' }
    expect(await latest()).toMatchObject({ rowCount: 2, newerFile })
    deps.clock.advance(Date.parse(updatesAt) - deps.clock.now())
    expect(await latest()).toMatchObject({ rowCount: 3, newerFile: null })
  })

  it('tells when the file may next be another one: with the next sync, not before its frequency', async () => {
    await deps.db
      .updateTable('connections')
      .set({ nextSyncAt: deps.clock.now() + HOUR_MS })
      .execute()
    expect(await latest()).toMatchObject({
      nextUpdateAt: new Date(deps.clock.now() + 24 * 0.9 * HOUR_MS).toISOString(),
    })
    const nextSyncAt = deps.clock.now() + 30 * HOUR_MS
    await deps.db.updateTable('connections').set({ nextSyncAt }).execute()
    expect(await latest()).toMatchObject({ nextUpdateAt: new Date(nextSyncAt).toISOString() })
  })

  it('does not tell when it may be another one while that is up to somebody', async () => {
    await deps.db.updateTable('connections').set({ nextSyncAt: null }).execute()
    expect(await latest()).toMatchObject({ nextUpdateAt: null })
  })

  it.each(['processing', 'failed'] as const)(
    'keeps the former file while that of a newer version is %s',
    async (status) => {
      await restrictTo('Hats')
      await getLatestFile(deps, retailer.user, retailer.id)
      await deps.queue.idle()
      await latest()
      deps.clock.advance(DAY_MS)
      await syncTo(SECOND)
      const lease = { leaseToken: 'other', leaseUntil: deps.clock.now() + HOUR_MS }
      await deps.db
        .updateTable('variants')
        .set({ status, ...(status === 'processing' && lease) })
        .where('rowCount', '=', 2)
        .execute()
      const newerFile = { publishedAt: now(), updatesAt: null, reason: status }
      expect(await latest()).toMatchObject({ rowCount: 1, newerFile })
      const moved = await deps.db.selectFrom('downloads').select('status').execute()
      expect(moved).toEqual([{ status: 'ready' }])
      deps.clock.advance(HOUR_MS)
      await deps.work()
      expect(await latest()).toMatchObject({ rowCount: 2, newerFile: null })
    },
  )
})
