import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS } from '../../../../shared/durations'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import type { UserRecord } from '../../people/accounts/users.queries'
import { deleteRetailer } from '../retailers/retailers'
import { listDownloads } from './download-history'
import { getLatestFile, openRetailerFile } from './retailer-files'

const CSV = 'sku,category\r\n1,Hats\r\n2,Shoes\r\n3,Hats\r\n'

describe('a retailer’s download history', () => {
  let sourceServer: SourceServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }

  beforeEach(async () => {
    sourceServer = await startSourceServer()
    deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier, {
      allProducts: false,
      categories: ['Hats'],
    })
    sourceServer.set('/feed.csv', { body: CSV })
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    await deps.work()
  })
  afterEach(async () => {
    await deps.close()
    await sourceServer.close()
  })

  async function download(actor: UserRecord, userAgent?: string) {
    const file = await getLatestFile(deps, actor, retailer.id)
    const fileName = 'fileName' in file ? file.fileName : ''
    const opened = await openRetailerFile(deps, actor, { id: retailer.id, fileName })
    await opened.onRead?.({ userAgent, isSent: true })
    await deps.pulls.flush()
    return fileName
  }

  const history = (actor: UserRecord = retailer.user) => listDownloads(deps, actor, retailer.id)
  const now = () => new Date(deps.clock.now()).toISOString()

  it('counts every one of many within seconds, and keeps the newest', async () => {
    const file = await getLatestFile(deps, retailer.user, retailer.id)
    const fileName = 'fileName' in file ? file.fileName : ''
    const request = { id: retailer.id, fileName }
    for (let count = 0; count < 150; count++) {
      deps.clock.advance(1)
      const opened = await openRetailerFile(deps, retailer.user, request)
      await opened.onRead?.({ isSent: true })
    }
    await deps.pulls.flush()
    const pulls = await deps.db.selectFrom('pulls').select('pulledAt').orderBy('id').execute()
    expect(pulls).toHaveLength(100)
    expect(pulls.at(-1)).toEqual({ pulledAt: deps.clock.now() })
    expect(pulls[0]).toEqual({ pulledAt: deps.clock.now() - 99 })
    expect(
      await deps.db.selectFrom('downloads').select(['pullCount', 'lastPulledAt']).execute(),
    ).toEqual([{ pullCount: 150, lastPulledAt: deps.clock.now() }])
  })

  it('says when, which data, how many of the retailer’s rows, and by which program', async () => {
    const dataAsOf = now()
    deps.clock.advance(DAY_MS)
    const fileName = await download(retailer.user, 'curl/8.17.0')
    const first = { downloadedAt: now(), dataAsOf, fileName, rowCount: 2, client: 'curl' }
    deps.clock.advance(DAY_MS)
    await download(retailer.user)
    const expected = [{ downloadedAt: now(), client: 'Another program' }, first]
    expect(await history()).toMatchObject(expected)
    expect(await history(supplier)).toMatchObject(expected)
    const size = 'sku,category\r\n1,Hats\r\n3,Hats\r\n'.length
    expect(await history()).toMatchObject([{ fileSize: size }, { fileSize: size }])
  })

  it('has only the retailer’s own downloads, and is shown to no other supplier or retailer', async () => {
    await download(supplier)
    expect(await history()).toEqual([])
    const other = await createLinkedRetailer(deps, supplier)
    for (const actor of [await createSupplierUser(deps), other.user]) {
      await expect(history(actor)).rejects.toMatchObject({ status: 404 })
    }
  })

  it('lists the last 20, and keeps 100 for each retailer', async () => {
    const other = await createLinkedRetailer(deps, supplier)
    const pull = {
      pulledAt: 1,
      fileName: 'a.csv',
      dataAsOf: 1,
      rowCount: 1,
      sizeBytes: 1,
      client: 'curl',
    }
    await deps.db
      .insertInto('pulls')
      .values({ ...pull, retailerId: other.id })
      .execute()
    const rows = Array.from({ length: 120 }, () => ({ ...pull, retailerId: retailer.id }))
    await deps.db.insertInto('pulls').values(rows).execute()
    await download(retailer.user)
    const kept = await deps.db.selectFrom('pulls').select(['id', 'retailerId']).execute()
    expect(kept.filter(({ retailerId }) => retailerId === retailer.id)).toHaveLength(100)
    expect(kept.filter(({ retailerId }) => retailerId === other.id)).toHaveLength(1)
    expect(await history()).toHaveLength(20)
    expect((await history())[0]?.id).toBe(Math.max(...kept.map(({ id }) => id)))
  })

  it('ends after 90 days, or with the retailer', async () => {
    await download(retailer.user)
    await cleanUp(deps)
    expect(await history()).toHaveLength(1)
    deps.clock.advance(90 * DAY_MS + 1)
    expect(await cleanUp(deps)).toContain('1 download record')
    expect(await history()).toEqual([])
    await download(retailer.user)
    await deleteRetailer(deps, supplier, retailer.id)
    expect(await deps.db.selectFrom('pulls').selectAll().execute()).toEqual([])
  })
})
