import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { cleanStorage } from '../../../features/distribution/stored-files/storage-cleaning'
import type { UserRecord } from '../../../features/people/accounts/users.queries'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../fixtures/factories'
import { findBrokenFiles, listStoredFiles, storeContent } from '../../fixtures/stored-files'
import { openBreakableNetwork, type BreakableNetwork } from '../../servers/breakable-network'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { newBucketPlace } from '../../stages/s3-bucket'
import { openTestApp, type Client, type TestApp } from '../../stages/test-app'

/** More than is sent from memory. */
const ROWS = 40_000
const toFile = (quantity: number) =>
  `sku,category,quantity\n${Array.from({ length: ROWS }, (_, row) => `SKU-${row},${row % 2 ? 'Hats' : 'Shoes'},${quantity}`).join('\n')}\n`
const SHOES = (text: string) =>
  `${text
    .split('\n')
    .filter((line) => line !== '' && !line.includes(',Hats,'))
    .join('\n')}\n`

let sourceServer: SourceServer
let network: BreakableNetwork
let testApp: TestApp
let supplier: UserRecord
let retailer: { id: number; user: UserRecord }
let shop: Client

async function open(redirectsDownloads: boolean) {
  const place = newBucketPlace()
  network = await openBreakableNetwork(place.endpoint ?? '')
  const bucket = { ...place, endpoint: network.url }
  testApp = await openTestApp({ fetchAllow: [sourceServer.host], bucket, redirectsDownloads })
  supplier = await createSupplierUser(testApp.deps)
  retailer = await createLinkedRetailer(testApp.deps, supplier)
  await createSupplierConnection(testApp.deps, supplier, sourceServer.url('/stock.csv'))
  await removeGuards(testApp.deps)
  await publish(toFile(5))
  shop = await testApp.signIn(retailer.user)
}

beforeEach(async () => {
  sourceServer = await startSourceServer()
})
afterEach(async () => {
  await testApp.close()
  await network.close()
  await sourceServer.close()
})

async function publish(body: string) {
  sourceServer.set('/stock.csv', { body })
  await testApp.deps.db
    .updateTable('connections')
    .set({ nextSyncAt: testApp.deps.clock.now() })
    .execute()
  await testApp.deps.work()
}

async function findDownload(): Promise<string> {
  const { body } = await shop.request('GET', `/api/retailers/${retailer.id}/latest-file`)
  return (body as { downloadUrl: string }).downloadUrl
}

/** Deletes what this machine has of the files, as if another one had published them. */
async function forgetFiles() {
  for (const sha256 of await listStoredFiles(testApp.deps)) {
    await rm(await testApp.deps.files.locate(sha256))
  }
}

describe('inventory files in a bucket', () => {
  it('are published, downloaded, resumed and cleaned as those on disk', async () => {
    await open(false)
    const url = await findDownload()
    await forgetFiles()
    const whole = await shop.request('GET', url)
    expect([whole.status, whole.text === toFile(5)]).toEqual([200, true])
    const part = await shop.request('GET', url, undefined, { range: 'bytes=0-2' })
    expect([part.status, part.text]).toEqual([206, 'sku'])
    const known = { 'if-none-match': String(whole.headers.etag) }
    expect((await shop.request('GET', url, undefined, known)).status).toBe(304)
    const supplierClient = await testApp.signIn(supplier)
    await supplierClient.request('PATCH', `/api/retailers/${retailer.id}`, {
      visibilitySettings: { allProducts: false, categories: ['Shoes'] },
    })
    await forgetFiles()
    await publish(toFile(4))
    await shop.request('GET', `/api/retailers/${retailer.id}/latest-file`)
    await testApp.deps.work()
    expect((await shop.request('GET', await findDownload())).text).toBe(SHOES(toFile(4)))
    expect(await findBrokenFiles(testApp.deps)).toEqual([])

    const { sha256: unnamed } = await storeContent(testApp.deps.files, 'named by nobody')
    const cleaned = await cleanStorage(testApp.deps, new AbortController().signal)
    expect(cleaned).toMatchObject({ storedFiles: 1 })
    expect(await listStoredFiles(testApp.deps)).not.toContain(unnamed)
    expect(await findBrokenFiles(testApp.deps)).toEqual([])
  })

  it('may be sent to one machine and read by another', async () => {
    await open(false)
    const { deps } = testApp
    const { add } = deps.queue
    deps.queue.add = async () => undefined
    const client = await testApp.signIn(supplier)
    const { id } = await deps.db.selectFrom('connections').select('id').executeTakeFirstOrThrow()
    const sent = toFile(7).replaceAll(',', ';')
    const put = await client.request('PUT', `/api/connections/${id}/file?name=stock.csv`, sent)
    expect(put.status).toBe(202)
    await forgetFiles()
    deps.queue.add = add
    await deps.work()
    const { body } = await client.request('GET', String(put.headers.location))
    expect(body).toMatchObject({ state: 'published', rows: ROWS })
    expect(await listStoredFiles(deps)).not.toContain(
      createHash('sha256').update(sent).digest('hex'),
    )
    expect(await findBrokenFiles(deps)).toEqual([])
  })

  it('are out of reach for a while without harm to a connection or a published file', async () => {
    await open(false)
    const url = await findDownload()
    await forgetFiles()
    network.break()
    const failed = await shop.request('GET', url)
    expect(failed.status).toBe(503)
    expect(failed.body).toEqual({
      message: 'The files cannot be reached at the moment. Try again in a minute.',
    })
    expect(Number(failed.headers['retry-after'])).toBeGreaterThan(0)
    expect((await testApp.client().request('GET', '/readyz')).status).toBe(200)
    await publish(toFile(3))
    const connection = () =>
      testApp.deps.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
    expect(await connection()).toMatchObject({ consecutiveFailures: 0 })
    network.repair()
    expect((await shop.request('GET', url)).text).toBe(toFile(5))
    testApp.deps.clock.advance(2 * 60_000)
    await publish(toFile(3))
    expect(await findBrokenFiles(testApp.deps)).toEqual([])
    expect(await listStoredFiles(testApp.deps)).toContain(
      createHash('sha256').update(toFile(3)).digest('hex'),
    )
  })
})

describe('a download of a whole file, if downloads are redirected', () => {
  it('is answered with an address of the bucket for a minute, which sends the same file', async () => {
    await open(true)
    const url = await findDownload()
    const answer = await shop.request('GET', url)
    expect(answer.status).toBe(302)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    const address = new URL(String(answer.headers.location))
    expect(address.origin).toBe(network.url)
    expect(Number(address.searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(60)
    const sent = await fetch(address)
    expect([sent.status, await sent.text()]).toEqual([200, toFile(5)])
    expect(sent.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(sent.headers.get('content-disposition')).toMatch(/^attachment; filename="/)
    address.searchParams.set('X-Amz-Expires', '3600')
    expect((await fetch(address)).status).toBe(403)
  })

  it('is answered by the product when it is conditional, in part, or of a feed address', async () => {
    await open(true)
    const url = await findDownload()
    const part = await shop.request('GET', url, undefined, { range: 'bytes=0-2' })
    expect([part.status, part.text]).toEqual([206, 'sku'])
    const known = { 'if-none-match': String(part.headers.etag) }
    expect((await shop.request('GET', url, undefined, known)).status).toBe(304)
    expect((await shop.request('HEAD', url)).status).toBe(200)
    const { body } = await shop.request('POST', `/api/retailers/${retailer.id}/feed-addresses`, {})
    const feed = await testApp.client().request('GET', (body as { path: string }).path)
    expect([feed.status, feed.text === toFile(5)]).toEqual([200, true])
  })

  it('is refused to whom the file does not belong, without an address', async () => {
    await open(true)
    const stranger = await createLinkedRetailer(
      testApp.deps,
      await createSupplierUser(testApp.deps),
    )
    const client = await testApp.signIn(stranger.user)
    const answer = await client.request('GET', await findDownload())
    expect([answer.status, answer.headers.location]).toEqual([404, undefined])
  })
})
