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
    const times = (await history()).map(({ downloadedAt }) => Date.parse(downloadedAt))
    expect(times).toEqual(Array.from({ length: 20 }, (_, age) => deps.clock.now() - age))
    const pulls = deps.db.selectFrom('retailerPulls').select(['dayCounts', 'lastPulledAt'])
    expect(await pulls.execute()).toEqual([{ dayCounts: [150], lastPulledAt: deps.clock.now() }])
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

  it('has the last 20, each with an id of its own, in the order of time', async () => {
    for (let count = 0; count < 25; count++) {
      if (count % 2 === 0) deps.clock.advance(1)
      await download(retailer.user)
    }
    const ids = (await history()).map(({ id }) => id)
    expect(ids).toHaveLength(20)
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one))
  })

  it('has also what the version before records, which the clean-up packs', async () => {
    await download(retailer.user)
    const [known] = await history()
    const other = await createLinkedRetailer(deps, supplier)
    const at = (age: number) => ({
      pulledAt: deps.clock.now() - age,
      fileName: 'a.csv',
      dataAsOf: 1,
      rowCount: 1,
      sizeBytes: 1,
      client: 'Wget',
    })
    const row = (retailerId: number, age: number) => ({ retailerId, ...at(age) })
    await deps.db
      .insertInto('pulls')
      .values([row(other.id, 2), ...[30, 20, -1].map((age) => row(retailer.id, age))])
      .execute()
    const shown = await history()
    expect(shown.map(({ client }) => client)).toEqual(['Wget', 'Another program', 'Wget', 'Wget'])
    expect(shown[1]).toEqual(known)
    await cleanUp(deps)
    expect(await history()).toEqual(shown)
    expect(await listDownloads(deps, other.user, other.id)).toHaveLength(1)
    expect(await deps.db.selectFrom('pulls').selectAll().execute()).toEqual([])
    deps.clock.advance(2)
    await download(retailer.user)
    expect((await history()).slice(1)).toEqual(shown)
  })

  it('ends after 90 days, or with the retailer', async () => {
    await download(retailer.user)
    await cleanUp(deps)
    expect(await history()).toHaveLength(1)
    deps.clock.advance(90 * DAY_MS)
    expect(await history()).toHaveLength(1)
    deps.clock.advance(1)
    expect(await history()).toEqual([])
    deps.clock.advance(DAY_MS)
    expect(await cleanUp(deps)).toContain('1 download list')
    await download(retailer.user)
    await deleteRetailer(deps, supplier, retailer.id)
    expect(await deps.db.selectFrom('recentDownloads').selectAll().execute()).toEqual([])
  })
})
