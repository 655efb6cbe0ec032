import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { inTransaction } from '../../server/db/open'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { startRedisServer, type RedisServer } from '../../server/testing/servers/redis-server'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../server/testing/stages/test-deps'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'

const CONNECTIONS = 30
const HOSTS = 6
const RESPONSE_DELAY_MS = 200
/** The goal is 2 s; the margin is for a loaded machine. A call that waits for Redis would hang. */
const ENQUEUE_LIMIT_S = 15

describe('the loss of Redis or its data', () => {
  let redis: RedisServer
  let sourceServers: SourceServer[]
  let dataDir: string
  let deps: TestDeps
  let web: Product
  let admin: RestClient
  let workers: Product[]
  const fetching = { now: 0, most: 0, total: 0 }

  beforeAll(async () => {
    redis = await startRedisServer()
    await redis.kill()
    sourceServers = await Promise.all(Array.from({ length: HOSTS }, () => startSourceServer()))
    dataDir = await makeDataDir()
    deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
    for (let index = 0; index < CONNECTIONS; index++) {
      const server = sourceServers[index % HOSTS]!
      server.set(`/${index}.csv`, { handler: (_request, response) => void respond(response) })
      const supplier = await createSupplierUser(deps)
      await createSupplierConnection(deps, supplier, server.url(`/${index}.csv`))
    }
    const env = {
      REDIS_URL: redis.url,
      FETCH_ALLOW: sourceServers.map(({ host }) => host).join(),
      WORKER: 'off',
      LOG_LEVEL: 'fatal',
    }
    web = await startProduct(dataDir, env)
    workers = await Promise.all([startWorker(dataDir, env), startWorker(dataDir, env)])
    admin = createRestClient(web.url)
    await admin.signIn('admin', ADMIN_PASSWORD)
  })
  afterAll(async () => {
    await Promise.all([web, ...workers].map((program) => program.stop()))
    await Promise.all([redis.close(), ...sourceServers.map((server) => server.close())])
    await deps.close()
    await removeDataDir(dataDir)
  })

  async function respond(response: ServerResponse) {
    fetching.total += 1
    fetching.most = Math.max(fetching.most, (fetching.now += 1))
    await sleep(RESPONSE_DELAY_MS)
    fetching.now -= 1
    response.end(`sku,qty\r\n1,${fetching.total}\r\n`)
  }

  const makeAllDue = () =>
    inTransaction(deps.db, (trx) =>
      trx.updateTable('connections').set({ nextSyncAt: Date.now() }).execute(),
    )

  async function countDue() {
    const due = await deps.db
      .selectFrom('connections')
      .select('id')
      .where('nextSyncAt', '<=', Date.now())
      .execute()
    return due.length
  }

  /** Makes calls that read, write and enqueue. Returns the longest time of any, in seconds. */
  async function readAndWrite(): Promise<number> {
    let longest = 0
    for (const [method, path, body] of [
      ['GET', '/api/connections', undefined],
      ['PATCH', '/api/connections/1', { name: `Feed ${fetching.total}` }],
      ['POST', '/api/connections/2/sync', undefined],
    ] as const) {
      const started = performance.now()
      expect((await admin.send(method, path, body)).status).toBeLessThan(300)
      longest = Math.max(longest, secondsSince(started))
    }
    return longest
  }

  /** Measures the time until the next sync contacts its source, and of the longest call. */
  async function expectNextSync(after: string) {
    const before = fetching.total
    const lost = performance.now()
    const enqueuing = readAndWrite()
    await until(
      async () => fetching.total,
      (total) => total > before,
    )
    const next = secondsSince(lost)
    figure('loss of Redis', `next due sync ${after}`, toSeconds(next), '≤ 60 s')
    figure(
      'loss of Redis',
      `longest call that enqueues, ${after}`,
      toSeconds(await enqueuing),
      '≤ 2 s',
    )
    expect(next).toBeLessThan(60)
    expect(await enqueuing).toBeLessThan(ENQUEUE_LIMIT_S)
  }

  async function expectRecovery(after: string) {
    const lost = performance.now()
    await expectNextSync(after)
    await until(countDue, (due) => due === 0)
    figure('loss of Redis', `all due syncs done ${after}`, toSeconds(secondsSince(lost)), '≤ 60 s')
  }

  /** Waits until syncs are running, so that Redis is lost in the middle of them. */
  async function beginSyncs() {
    const before = fetching.total
    await makeAllDue()
    await until(
      async () => fetching.total - before,
      (count) => count >= 8,
    )
  }

  it('does not prevent a start', () => expectRecovery('without Redis from the start'))

  it('is recovered from after FLUSHALL', async () => {
    await redis.restart()
    await beginSyncs()
    const client = new Redis(redis.url)
    await client.flushall()
    client.disconnect()
    await expectRecovery('after FLUSHALL')
  })

  it('is recovered from after Redis is killed', async () => {
    await beginSyncs()
    await redis.kill()
    await expectRecovery('after Redis was killed')
  })

  it('is recovered from when Redis comes back empty', async () => {
    await beginSyncs()
    await redis.restart()
    await expectRecovery('after Redis came back empty')
  })

  it('does not stop syncs while Redis hangs', async () => {
    await beginSyncs()
    redis.pause()
    await expectNextSync('while Redis hangs')
    redis.resume()
    await until(countDue, (due) => due === 0)
  })

  it('is recovered from after a worker is killed as well', async () => {
    await beginSyncs()
    await workers.pop()?.stop('SIGKILL')
    await expectRecovery('after a worker was killed')
  })

  it('never makes a worker run more than four syncs at once', () => {
    figure(
      'loss of Redis',
      'most syncs at once of two workers, all the time',
      `${fetching.most}`,
      '≤ 8',
    )
    expect(fetching.most).toBeLessThanOrEqual(8)
    expect(fetching.most).toBeGreaterThan(1)
  })

  it('does not keep a process from stopping', async () => {
    await redis.kill()
    const started = performance.now()
    const codes = await Promise.all([web, ...workers].map((program) => program.stop('SIGTERM')))
    expect(codes).toEqual([0, 0])
    figure('loss of Redis', 'SIGTERM without Redis', toSeconds(secondsSince(started)), '≤ 10 s')
  })
})
