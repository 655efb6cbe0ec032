import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { inTransaction } from '../../server/db/open'
import {
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { startRedisServer, type RedisServer } from '../../server/testing/servers/redis-server'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps, type TestDeps } from '../../server/testing/stages/test-deps'
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { until } from '../support/rest-client'

const SYNCS = rounds(30, 200)
const HOSTS = 8
/** Number of connections whose files are held back until their worker is about to be stopped. */
const HELD = 2
const STOPPED_MS = 40_000
const RESPONSE_DELAY_MS = 200

const toFile = (index: number, revision: number) => `sku,qty\r\n${index},${revision}\r\n`
const hash = (content: string) => createHash('sha256').update(content).digest('hex')

describe('three workers', () => {
  let redis: RedisServer
  let sourceServers: SourceServer[]
  let dataDir: string
  let deps: TestDeps
  let env: Record<string, string>
  const programs: Product[] = []
  const connectionIds: number[] = []
  /** Current revision of each connection's feed. */
  const revisions: number[] = []
  const held: (() => void)[] = []

  beforeAll(async () => {
    redis = await startRedisServer()
    sourceServers = await Promise.all(Array.from({ length: HOSTS }, () => startSourceServer()))
    dataDir = await makeDataDir()
    const fetchAllow = sourceServers.map(({ host }) => host).join()
    env = { REDIS_URL: redis.url, FETCH_ALLOW: fetchAllow, WORKER: 'off', LOG_LEVEL: 'fatal' }
    deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
    for (let index = 0; index < SYNCS; index++) await connect(index)
  })
  afterAll(async () => {
    for (const program of programs) program.signal('SIGCONT')
    await Promise.all(programs.map((program) => program.stop()))
    await Promise.all([redis.close(), ...sourceServers.map((server) => server.close())])
    await deps.close()
    await removeDataDir(dataDir)
  })

  async function connect(index: number) {
    const server = sourceServers[index % HOSTS]!
    const path = `/feed-${index}.csv`
    revisions[index] = 1
    server.set(path, { handler: (_request, response) => respond(index, response) })
    const supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, server.url(path))
    connectionIds.push(id)
  }

  function respond(index: number, response: ServerResponse) {
    const send = () => response.end(toFile(index, revisions[index]!))
    if (held.length < HELD && index < HELD) held.push(send)
    else setTimeout(send, RESPONSE_DELAY_MS)
  }

  async function start(program: Promise<Product>): Promise<Product> {
    programs.push(await program)
    return program
  }

  /**
   * Pauses a worker between storing the held-back files and publishing them, by holding the
   * database's write lock until it is paused.
   */
  async function stopBeforePublishing(worker: Product) {
    await inTransaction(deps.db, async () => {
      for (const release of held) release()
      for (let index = 0; index < HELD; index++) {
        await until(() => deps.files.has(hash(toFile(index, 1))), Boolean)
      }
      await sleep(100)
      worker.signal('SIGSTOP')
    })
  }

  /** Resumes the paused worker and lets it finish. */
  async function resume(worker: Product) {
    worker.signal('SIGCONT')
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200)
    expect(await worker.stop()).toBe(0)
  }

  /** Waits until every connection has been synced since `since`, and no run is open. */
  const waitUntilSynced = (since: number) =>
    until(
      async () => {
        const connections = await deps.db.selectFrom('connections').selectAll().execute()
        const runs = await deps.db.selectFrom('syncRuns').selectAll().execute()
        const isLate = ({ lastSyncAt }: { lastSyncAt: number | null }) => (lastSyncAt ?? 0) < since
        const open = runs.filter(({ finishedAt }) => finishedAt === null)
        return { late: connections.filter(isLate).length, open: open.length }
      },
      ({ late, open }) => late === 0 && open === 0,
    )

  /** The revisions of a connection that were published, oldest first. */
  async function readRevisions(connectionId: number): Promise<number[]> {
    const versions = await deps.db
      .selectFrom('versions')
      .select('sha256')
      .where('connectionId', '=', connectionId)
      .orderBy('id')
      .execute()
    const contents = versions.map(async ({ sha256 }) => text(await deps.files.read(sha256)))
    return (await Promise.all(contents)).map((content) => Number(/,(\d+)\r\n$/.exec(content)?.[1]))
  }

  it('publish each sync once although one worker is paused in the middle and resumed', async () => {
    const began = Date.now()
    await start(startProduct(dataDir, env))
    const stopped = await start(startWorker(dataDir, env))
    await until(
      async () => held.length,
      (count) => count === HELD,
    )
    await Promise.all([start(startWorker(dataDir, env)), start(startWorker(dataDir, env))])
    await stopBeforePublishing(stopped)
    // The paused worker's files are outdated by the time it resumes.
    for (let index = 0; index < HELD; index++) revisions[index] = 2
    await sleep(STOPPED_MS)
    await waitUntilSynced(began)
    await resume(stopped)
    const published = await Promise.all(connectionIds.map(readRevisions))
    expect(published).toEqual(connectionIds.map((_id, index) => (index < HELD ? [2] : [1])))
    const measured = `${SYNCS} versions of ${SYNCS} connections, none twice, none older`
    figure('leases', `${SYNCS} syncs, a worker stopped for 40 s`, measured, 'one version each')
  })

  it('publish each new file once when all connections are due again', async () => {
    await start(startWorker(dataDir, env))
    const again = Date.now()
    for (let index = 0; index < SYNCS; index++) revisions[index] = 3
    await inTransaction(deps.db, (trx) =>
      trx.updateTable('connections').set({ nextSyncAt: again }).execute(),
    )
    await waitUntilSynced(again)
    const published = await Promise.all(connectionIds.map(readRevisions))
    expect(published).toEqual(connectionIds.map((_id, index) => (index < HELD ? [2, 3] : [1, 3])))
  })
})
