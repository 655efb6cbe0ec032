import type { ServerResponse } from 'node:http'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../server/testing/stages/test-deps'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { until } from '../support/rest-client'

const SLOW = 6
const CHUNK_BYTES = 130
const CHUNK_EVERY_MS = 100

describe('a fast source beside six that send 1.3 KB per second', () => {
  let servers: SourceServer[]
  let dataDir: string
  let deps: TestDeps
  let product: Product
  const dripping: NodeJS.Timeout[] = []

  beforeAll(async () => {
    servers = await Promise.all(Array.from({ length: SLOW + 1 }, () => startSourceServer()))
    dataDir = await makeDataDir()
    deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
  })
  afterAll(async () => {
    dripping.forEach(clearInterval)
    await product.stop('SIGKILL')
    await Promise.all(servers.map((server) => server.close()))
    await deps.close()
    await removeDataDir(dataDir)
  })

  function drip(response: ServerResponse) {
    response.write('sku,qty\r\n')
    const send = () => response.write(`${'x'.repeat(CHUNK_BYTES - 4)},1\r\n`)
    const timer = setInterval(send, CHUNK_EVERY_MS)
    response.once('close', () => clearInterval(timer))
    dripping.push(timer)
  }

  async function connect(server: SourceServer) {
    const { id } = await createSupplierConnection(
      deps,
      await createSupplierUser(deps),
      server.url('/feed.csv'),
    )
    return id
  }

  it('is synced soon by one process with the default number of slots', async () => {
    const [fastServer, ...slowServers] = servers
    for (const server of slowServers) {
      server.set('/feed.csv', { handler: (_request, response) => drip(response) })
      await connect(server)
    }
    product = await startProduct(dataDir, {
      FETCH_ALLOW: servers.map(({ host }) => host).join(),
      LOG_LEVEL: 'fatal',
    })
    const countRequests = async () => slowServers.flatMap(({ requests }) => requests).length
    await until(countRequests, (count) => count >= 4)
    fastServer!.set('/feed.csv', { body: 'sku,qty\r\n1,5\r\n' })
    const began = performance.now()
    const id = await connect(fastServer!)
    await until(
      () => deps.db.selectFrom('connections').select('lastSyncAt').where('id', '=', id).execute(),
      ([connection]) => connection?.lastSyncAt != null,
    )
    const waited = toSeconds(secondsSince(began))
    figure('fair shares', 'a fast sync beside six slow ones', waited, '≤ 20 s')
    const failures = await deps.db
      .selectFrom('connections')
      .select('id')
      .where('consecutiveFailures', '>', 0)
      .execute()
    expect(failures).toEqual([])
  })
})
