import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { startRedisServer, type RedisServer } from '../../server/testing/servers/redis-server'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import type { Connection } from '../../shared/schemas/connection'
import { readNow } from '../support/page'
import {
  ADMIN_PASSWORD,
  makeDataDir,
  removeDataDir,
  startProduct,
  startWorker,
  type Product,
} from '../support/product'
import { createRestClient, until, type RestClient } from '../support/rest-client'

let sourceServer: SourceServer
let dataDir: string
let programs: Product[]
let admin: RestClient

beforeEach(async () => {
  sourceServer = await startSourceServer()
  sourceServer.set('/feed.csv', { body: 'sku\r\n1\r\n' })
  dataDir = await makeDataDir()
  programs = []
})
afterEach(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  await sourceServer.close()
  await removeDataDir(dataDir)
})

async function startWeb(env: Record<string, string> = {}) {
  const web = await startProduct(dataDir, { WORKER: 'off', METRICS_PORT: '0', ...env })
  programs.push(web)
  admin = createRestClient(web.url)
  await admin.signIn('admin', ADMIN_PASSWORD)
  return web
}

async function addWorker(env: Record<string, string> = {}) {
  const worker = await startWorker(dataDir, { FETCH_ALLOW: sourceServer.host, ...env })
  programs.push(worker)
  return worker
}

async function createConnection(): Promise<Connection> {
  const password = 'acme-password'
  const acme = { username: 'acme', password, companyName: 'Acme', contactEmail: 'a@example.com' }
  const { id: supplierId } = (await admin.send('POST', '/api/suppliers', acme)).body as Connection
  const settings = { name: 'Feed', type: 'URL', fileFormat: 'CSV', syncFrequency: 60 }
  const config = { url: sourceServer.url('/feed.csv') }
  return (await admin.send('POST', '/api/connections', { ...settings, supplierId, config })).body
}

const listConnections = async () =>
  (await admin.send('GET', '/api/connections')).body as Connection[]

const isSynced = () => until(listConnections, ([connection]) => connection?.lastSync != null)

type Line = { msg: string; requestId?: string }

const readLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)

const finishedSyncs = (output: string) =>
  readLines(output).filter(({ msg }) => msg === 'Sync finished')

const ask = async (url: string) => {
  const response = await fetch(url)
  return { status: response.status, text: await response.text() }
}

describe('a separate worker process', () => {
  it('does the syncs of a web process with WORKER=off, without Redis', async () => {
    const web = await startWeb()
    await expect.poll(() => web.output()).toMatch('worker    in separate processes')
    await createConnection()
    const worker = await addWorker()
    await isSynced()
    const { status, text } = await ask(`${worker.url}/metrics`)
    expect(status).toBe(200)
    expect(text).toMatch('stockbridge_sync_duration_seconds_count{outcome="published"} 1')
    expect(text).toMatch('nodejs_eventloop_lag_p99_seconds')
  })

  it('lets the web process serve metrics only on its metrics port', async () => {
    const web = await startWeb()
    const url = await until(
      async () => /metrics\s+(http:\S+)/.exec(await readNow(web.output()))?.[1] ?? '',
      (address) => address !== '',
    )
    expect((await ask(url)).text).toMatch('route="/api/login"')
    const page = await ask(`${web.url}/metrics`)
    expect(page.text).toMatch('<!doctype html>')
    expect(page.text).not.toMatch('stockbridge_')
  })

  it('says at the start that it uses no outgoing proxy, as the web process does', async () => {
    const proxy = { HTTPS_PROXY: 'http://127.0.0.1:1' }
    for (const program of [await startWeb(proxy), await addWorker(proxy)]) {
      await expect.poll(() => program.output()).toMatch('HTTPS_PROXY is set, but')
    }
  })

  it('names the variable to change when its port is in use', async () => {
    const { port } = new URL((await addWorker()).url)
    const second = startWorker(dataDir, { WORKER_PORT: port })
    await expect(second).rejects.toThrow(/ended with 1:\nPort \d+ is in use.*WORKER_PORT/)
  })

  it('is not ready while it finishes its sync after SIGTERM, then exits', async () => {
    const worker = await addWorker()
    expect(await ask(`${worker.url}/readyz`)).toEqual({ status: 200, text: '{"status":"ready"}' })
    let finish: (() => void) | undefined
    sourceServer.set('/feed.csv', {
      handler: (_request, response) => (finish = () => response.end('sku\r\n1\r\n')),
    })
    await startWeb()
    await createConnection()
    await until(async () => finish !== undefined, Boolean)
    const stopped = worker.stop('SIGTERM')
    await until(
      async () => (await ask(`${worker.url}/readyz`)).status,
      (status) => status === 503,
    )
    expect((await ask(`${worker.url}/healthz`)).status).toBe(200)
    finish?.()
    expect(await stopped).toBe(0)
    await isSynced()
  })
})

describe('a worker with Redis', () => {
  let redis: RedisServer

  beforeEach(async () => {
    redis = await startRedisServer()
  })
  afterEach(() => redis.close())

  it('logs a sync with the id of the request that started it', async () => {
    const web = await startWeb({ REDIS_URL: redis.url })
    const { id } = await createConnection()
    const worker = await addWorker({ REDIS_URL: redis.url })
    const syncs = async () => finishedSyncs(await readNow(worker.output()))
    await until(async () => (await syncs()).length, Boolean)
    const idsOf = (output: string) => readLines(output).map(({ requestId }) => requestId)
    // The worker also polls for due syncs, so it may not be the request that starts one: repeat.
    await until(async () => {
      await admin.send('POST', `/api/connections/${id}/sync`)
      await until(
        async () => (await listConnections())[0]?.status,
        (status) => status !== 'queued',
      )
      const requestId = (await syncs()).at(-1)?.requestId
      return requestId !== undefined && idsOf(await readNow(web.output())).includes(requestId)
    }, Boolean)
  })

  it('is not ready without Redis, while the web process stays ready and syncs continue', async () => {
    const web = await startWeb({ REDIS_URL: redis.url })
    const worker = await addWorker({ REDIS_URL: redis.url })
    const statuses = async () => [
      (await ask(`${worker.url}/readyz`)).status,
      (await ask(`${web.url}/readyz`)).status,
    ]
    await until(statuses, ([status]) => status === 200)
    await redis.kill()
    await until(statuses, (seen) => seen.join() === '503,200')
    await createConnection()
    await isSynced()
  })
})
