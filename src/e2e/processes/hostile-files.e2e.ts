import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  PASSWORD,
} from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { hostileFiles } from '../../server/testing/suites/hostile/hostile-files'
import type { Connection } from '../../shared/schemas/connection'
import { listTree, readProportionalMemory } from '../support/process-tree'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { timeResponses, toMilliseconds } from '../support/response-times'
import { createRestClient, until, type RestClient } from '../support/rest-client'
import { signIn } from '../support/seeded-data-dir'
import { hasVitals, toMegabytes } from '../support/vitals'

const MB = 1024 * 1024
/** A response that takes longer has hung, however loaded the machine is. */
const HANG_LIMIT_MS = 20_000

describe.skipIf(!hasVitals)('hostile files', () => {
  // All of them are read by the tests of the reading; here, by real processes.
  const feeds = hostileFiles
    .map((feed, index) => ({ ...feed, path: `/feed-${index}.csv` }))
    .filter((_feed, index) => index % (process.env.SHORT ? 3 : 1) === 0)
  let sourceServer: SourceServer
  let dataDir: string
  let product: Product
  let bystander: RestClient
  /** One supplier per file, because previews are rate limited by user. */
  const suppliers: RestClient[] = []
  const usernames: string[] = []
  let memory = 0

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    for (const { path, bytes } of feeds) sourceServer.set(path, { body: bytes() })
    dataDir = await makeDataDir()
    await seedSuppliers()
    product = await startProduct(dataDir, { FETCH_ALLOW: sourceServer.host, LOG_LEVEL: 'error' })
    bystander = await signIn(product, 'bystander')
    for (const username of usernames) {
      const client = createRestClient(product.url)
      await client.signIn(username, PASSWORD)
      suppliers.push(client)
    }
  })
  afterAll(async () => {
    await sourceServer.close()
    await removeDataDir(dataDir)
  })

  /** Creates a supplier per file with a restricted retailer, and a bystander. */
  async function seedSuppliers() {
    const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
    deps.clock.advance(Date.now() - deps.clock.now())
    await createSupplierUser(deps, { username: 'bystander' })
    for (const { path } of feeds) {
      const supplier = await createSupplierUser(deps)
      usernames.push(supplier.username)
      await createSupplierConnection(deps, supplier, sourceServer.url(path), 1440)
      await createLinkedRetailer(deps, supplier, { allProducts: false, categories: ['Shirts'] })
    }
    await deps.close()
  }

  /** Measures the bystander's calls while `work` runs. */
  async function watchOthers(what: string, work: Promise<unknown>) {
    const ask = async () => {
      expect((await bystander.send('GET', '/api/user')).status).toBe(200)
      expect((await bystander.send('GET', '/healthz')).status).toBe(200)
      memory = Math.max(memory, await readProportionalMemory(await listTree(product.pid)))
    }
    const started = performance.now()
    const longest = Math.max(...(await timeResponses(ask, work)))
    const measured = `${toMilliseconds(longest)}, over ${toSeconds(secondsSince(started))}`
    figure('availability', `longest wait of others while ${what}`, measured, '≤ 1 s')
    expect(longest).toBeLessThan(HANG_LIMIT_MS)
  }

  const readConnection = async (supplier: RestClient) => {
    const [connection] = (await supplier.send('GET', '/api/connections')).body as Connection[]
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  it('are synced, or fail with a reason, while others get responses', async () => {
    const isDone = ({ status, lastAttemptAt }: Connection) =>
      lastAttemptAt !== null && status !== 'running' && status !== 'queued'
    const syncAll = async () => {
      for (const supplier of suppliers) {
        const { lastError } = await until(() => readConnection(supplier), isDone, 300_000)
        // Every failure is reported as a problem of the file, in words for its supplier.
        expect(lastError ?? '').not.toMatch(/on our side|undefined|Error/)
      }
    }
    await watchOthers(`${feeds.length} hostile feeds are synced`, syncAll())
  })

  it('are previewed, or rejected with a reason, while others get responses', async () => {
    const previewAll = async () => {
      for (const [index, supplier] of suppliers.entries()) {
        const url = sourceServer.url(feeds[index]?.path ?? '')
        const { status, text } = await supplier.send('POST', '/api/connections/preview', { url })
        expect([200, 400], text).toContain(status)
        expect(text).not.toMatch(/on our side|Internal server error/)
      }
    }
    await watchOthers(`${feeds.length} hostile feeds are previewed`, previewAll())
  })

  it('leave each retailer with a file or a reason', async () => {
    for (const supplier of suppliers) {
      const [retailer] = (await supplier.send('GET', '/api/retailers')).body as { id: number }[]
      const path = `/api/retailers/${retailer?.id}/latest-file`
      const read = async () => (await supplier.send('GET', path)).text
      await until(read, (text) => !text.includes('being prepared'))
    }
  })

  it('leave the process alive and within its memory limit, and let it stop', async () => {
    expect((await bystander.send('GET', '/healthz')).status).toBe(200)
    figure(
      'availability',
      'memory of all processes beside hostile feeds',
      toMegabytes(memory),
      '< 700 MB',
    )
    expect(memory).toBeLessThan(700 * MB)
    expect(await product.stop()).toBe(0)
  })
})
