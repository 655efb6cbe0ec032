import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { hostileFiles } from '../../server/testing/suites/hostile/hostile-files'
import type { Connection } from '../../shared/schemas/connection'
import { readNow } from '../support/page'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { percentile99, timeResponses, toMilliseconds } from '../support/response-times'
import { until, type RestClient } from '../support/rest-client'
import { signIn } from '../support/seeded-data-dir'
import { toMegabytes } from '../support/vitals'

const MB = 1024 * 1024
const FILES = 4
const FILE_BYTES = 100 * MB
const HEAD = 'sku,name,category,qty\r\n'
const ROWS = Buffer.from('1234,"Boot, brown; size 42",Shoes > Boots,17\r\n'.repeat(1_500))
/** A response that takes longer has hung, however loaded the machine is. */
const HANG_LIMIT_MS = 20_000

function* sendRows() {
  yield HEAD
  for (let sent = 0; sent < FILE_BYTES; sent += ROWS.length) yield ROWS
}

describe('the web process while large and hostile files are read', () => {
  let servers: SourceServer[]
  let dataDir: string
  let product: Product
  let suppliers: RestClient[]
  let other: RestClient
  let metricsUrl: string

  beforeAll(async () => {
    // One host each, because a host gets at most two requests at a time.
    servers = await Promise.all(Array.from({ length: FILES }, () => startSourceServer()))
    dataDir = await makeDataDir()
    const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
    deps.clock.advance(Date.now() - deps.clock.now())
    const usernames: string[] = []
    for (const server of servers) {
      const handler = (_request: unknown, response: ServerResponse) =>
        void pipeline(Readable.from(sendRows()), response).catch(() => undefined)
      server.set('/feed.csv', { handler })
      const supplier = await createSupplierUser(deps)
      await createSupplierConnection(deps, supplier, server.url('/feed.csv'), 1440)
      usernames.push(supplier.username)
    }
    const bystander = await createSupplierUser(deps)
    await deps.close()
    product = await startProduct(dataDir, {
      FETCH_ALLOW: servers.map(({ host }) => host).join(),
      METRICS_PORT: '0',
      LOG_LEVEL: 'error',
      CALL_LIMITS: 'off',
    })
    const findMetrics = async () =>
      /metrics\s+(http:\S+)/.exec(await readNow(product.output()))?.[1] ?? ''
    metricsUrl = await until(findMetrics, (url) => url !== '')
    other = await signIn(product, bystander.username)
    suppliers = await Promise.all(usernames.map((username) => signIn(product, username)))
  })
  afterAll(async () => {
    await product.stop()
    await Promise.all(servers.map((server) => server.close()))
    await removeDataDir(dataDir)
  })

  /** The p99 event loop delay in milliseconds since the last call. */
  async function readLoopDelay(): Promise<number> {
    const text = await (await fetch(metricsUrl)).text()
    return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1_000
  }

  async function awaitSync(supplier: RestClient): Promise<void> {
    const read = async () =>
      ((await supplier.send('GET', '/api/connections')).body as Connection[])[0]
    const synced = await until(read, (connection) => connection?.lastAttemptAt !== null, 300_000)
    expect(synced?.lastError).toBeNull()
  }

  async function previewHostile(): Promise<void> {
    const [server] = servers
    const [feed] = hostileFiles
    server?.set('/hostile.csv', { body: feed?.bytes() ?? '' })
    const url = server?.url('/hostile.csv')
    const { status } = await other.send('POST', '/api/connections/preview', { url })
    expect([200, 400]).toContain(status)
  }

  it('keeps responding to others', async () => {
    await readLoopDelay()
    const started = performance.now()
    const work = Promise.all([...suppliers.map(awaitSync), previewHostile()])
    const ask = async () => {
      expect((await other.send('GET', '/api/user')).status).toBe(200)
    }
    const times = await timeResponses(ask, work)
    const delay = await readLoopDelay()
    const what = `${FILES} files of ${toMegabytes(FILE_BYTES)} and a hostile one`
    const took = `over ${toSeconds(secondsSince(started))}`
    const measured = `${toMilliseconds(delay)}, ${took}`
    figure('availability', `${what}: p99 of the event loop's delay`, measured, '≤ 20 ms')
    figure(
      'availability',
      `${what}: p99 of GET /api/user`,
      toMilliseconds(percentile99(times)),
      '≤ 50 ms',
    )
    expect(Math.max(...times)).toBeLessThan(HANG_LIMIT_MS)
  })
})
