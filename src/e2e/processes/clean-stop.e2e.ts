import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, readdir } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, type RequestOptions } from 'node:http'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'

import { readConfig } from '../../server/config'
import {
  PASSWORD,
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { setSlowSource } from '../../server/testing/servers/slow-source'
import { startSourceServer } from '../../server/testing/servers/source-server'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import type { FileListing } from '../../shared/schemas/file'
import { untilReading } from '../support/drafts'
import {
  makeDataDir,
  removeDataDir,
  startProduct,
  waitForUrl,
  type Product,
} from '../support/product'
import { createRestClient, until } from '../support/rest-client'

/** Few, because the product gives them 10 s, however slow the machine is. */
const DOWNLOADS = 5
const ROW = '1234,"Boot, brown",Shoes,5\r\n'
/** More than socket buffers hold, so that a paused reader keeps its download open. */
const CSV = toCsv(600_000)
/** Enough that a sync begins to write what it reads. */
const READ_FIRST = toCsv(40_000)
/** Few, because a sync that is stopped has 20 s, however slow the machine is. */
const READ_LAST = ROW.repeat(1_000)

function toCsv(rows: number): string {
  return `sku,name,category,qty\r\n${ROW.repeat(rows)}`
}

const hash = (content: string) => createHash('sha256').update(content).digest('hex')

async function request(url: string, options: RequestOptions = {}): Promise<IncomingMessage> {
  const [response] = (await once(get(url, { agent: false, ...options }), 'response')) as [
    IncomingMessage,
  ]
  return response
}

/** The status of /readyz; undefined once the process accepts no connections. */
const readiness = ({ url }: Product) =>
  request(`${url}/readyz`).then(
    (response) => response.resume().statusCode,
    () => undefined,
  )

/** Reads a download to its end. Returns its SHA-256. */
async function read(response: IncomingMessage): Promise<string> {
  const content = createHash('sha256')
  for await (const chunk of response as AsyncIterable<Buffer>) content.update(chunk)
  return content.digest('hex')
}

/** Creates a source server, and a data directory with a supplier whose connection is due. */
async function openWorld() {
  const sourceServer = await startSourceServer()
  const dataDir = await makeDataDir()
  const env = { DATA_DIR: dataDir, FETCH_ALLOW: sourceServer.host, LOG_LEVEL: 'warn' }
  const openDeps = () => openTestDeps(readConfig(env))
  const deps = await openDeps()
  deps.clock.advance(Date.now() - deps.clock.now())
  const supplier = await createSupplierUser(deps)
  const { id } = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
  async function close() {
    await sourceServer.close()
    await removeDataDir(dataDir)
  }
  return { sourceServer, dataDir, env, deps, openDeps, supplier, connectionId: id, close }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function openDueWorld({ onTestFinished }: TestContext): Promise<World> {
  const world = await openWorld()
  onTestFinished(world.close)
  return world
}

/** Its large file is published before any test begins: a sync that a test ends has only 20 s. */
let published: World
beforeAll(async () => {
  published = await openWorld()
  published.sourceServer.set('/feed.csv', { body: CSV })
  await published.deps.work()
  await published.deps.close()
})
afterAll(() => published.close())

/** Copies the data with the published file. */
async function copyPublished({ onTestFinished }: TestContext) {
  const dataDir = await makeDataDir()
  onTestFinished(() => removeDataDir(dataDir))
  await cp(published.dataDir, dataDir, { recursive: true })
  return { dataDir, env: { ...published.env, DATA_DIR: dataDir } }
}

/** Starts downloads without reading them, so that they stall. */
async function startDownloads(url: string, count: number) {
  const { supplier, connectionId } = published
  const client = createRestClient(url)
  await client.signIn(supplier.username, PASSWORD)
  const { body } = await client.send('GET', `/api/connections/${connectionId}/files`)
  const [file] = (body as FileListing).files
  const path = `${url}/api/connections/${connectionId}/files/${file?.fileName}`
  const headers = { cookie: client.cookie() }
  return Promise.all(Array.from({ length: count }, () => request(path, { headers })))
}

describe.concurrent('a clean stop', () => {
  it('finishes the downloads in flight and closes idle connections', async (context) => {
    const { dataDir, env } = await copyPublished(context)
    // With TRUST_PROXY, idle keep-alive connections have the longest timeout.
    const product = await startProduct(dataDir, { ...env, TRUST_PROXY: '127.0.0.1' })
    const downloads = await startDownloads(product.url, DOWNLOADS)
    const keptAlive = new Agent({ keepAlive: true })
    const probe = await request(`${product.url}/readyz`, { agent: keptAlive })
    expect(probe.resume().statusCode).toBe(200)
    // Ctrl-C under npm delivers two signals, which must count as one.
    product.signal('SIGINT')
    const exited = product.stop('SIGTERM')
    await until(
      () => readiness(product),
      (status) => status === 503,
    )
    const hashes = await Promise.all(downloads.map(read))
    const whole = performance.now()
    expect(await exited).toBe(0)
    keptAlive.destroy()
    expect(hashes).toEqual(downloads.map(() => hash(CSV)))
    const measured = `${hashes.length} whole, the end ${toSeconds(secondsSince(whole))} after the last`
    figure('clean stop', 'downloads in flight at SIGTERM', measured, `${DOWNLOADS} whole, exit 0`)
  })

  it('exits at once on a second signal', async (context) => {
    const { dataDir, env } = await copyPublished(context)
    const product = await startProduct(dataDir, env)
    const [download] = await startDownloads(product.url, 1)
    product.signal('SIGTERM')
    const asked = performance.now()
    // Signals right after the first count as part of it, so keep sending.
    const sending = setInterval(() => product.signal('SIGINT'), 100)
    expect(await product.stop('SIGINT')).toBe(1)
    clearInterval(sending)
    figure('clean stop', 'end after a second signal', toSeconds(secondsSince(asked)), 'at once')
    download?.destroy()
  })

  it('publishes the running sync', async (context) => {
    const { sourceServer, deps, dataDir, env, openDeps } = await openDueWorld(context)
    await deps.close()
    const feed = setSlowSource(sourceServer, '/feed.csv', READ_FIRST)
    const product = await startProduct(dataDir, env)
    const response = await feed.asked
    await untilReading(dataDir)
    const exited = product.stop('SIGTERM')
    await until(
      () => readiness(product),
      (status) => status !== 200,
    )
    response.end(READ_LAST)
    expect(await exited).toBe(0)
    const after = await openDeps()
    const run = await after.db
      .selectFrom('syncRuns')
      .select(['outcome', 'error'])
      .executeTakeFirstOrThrow()
    expect(run.error).toBeNull()
    expect(run.outcome).toBe('published')
    const versions = await after.db.selectFrom('versions').select('sha256').execute()
    expect(versions).toEqual([{ sha256: hash(READ_FIRST + READ_LAST) }])
    await after.close()
  })

  it('cancels a sync that does not finish, leaves no draft, and leaves it due again', async (context) => {
    const { sourceServer, deps, dataDir, env, openDeps } = await openDueWorld(context)
    await deps.close()
    sourceServer.set('/feed.csv', {
      handler: (_request, response) => {
        response.write(READ_FIRST)
        const drip = setInterval(() => response.write(ROW.repeat(100)), 100)
        response.on('close', () => clearInterval(drip))
      },
    })
    const product = await startProduct(dataDir, env)
    await untilReading(dataDir)
    const asked = performance.now()
    expect(await product.stop('SIGTERM')).toBe(0)
    figure('clean stop', 'a sync that would not end', toSeconds(secondsSince(asked)), '20 s')
    expect(await readdir(join(dataDir, 'files/drafts'))).toEqual([])
    const after = await openDeps()
    const connection = await after.db
      .selectFrom('connections')
      .selectAll()
      .executeTakeFirstOrThrow()
    const runs = await after.db.selectFrom('syncRuns').select('outcome').execute()
    expect(connection).toMatchObject({ leaseToken: null, lastError: null })
    expect(connection.nextSyncAt).toBeLessThanOrEqual(Date.now())
    expect(runs).toEqual([{ outcome: 'cancelled' }])
    await after.close()
  })

  it('finishes downloads and leaves no child process after Ctrl-C of npm start', async (context) => {
    const { env } = await copyPublished(context)
    const npm = spawn('npm', ['start'], {
      env: { ...process.env, NODE_ENV: 'production', PORT: '0', ...env },
      detached: true,
    })
    const exited = once(npm, 'exit')
    const group = -npm.pid!
    const [download] = await startDownloads(await waitForUrl(npm), 1)
    process.kill(group, 'SIGINT')
    expect(await read(download!)).toBe(hash(CSV))
    await exited
    await until(
      async () => isAlive(group),
      (alive) => !alive,
    )
    figure(
      'clean stop',
      'Ctrl-C of npm start',
      'its download whole, no child left',
      'no child left',
    )
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
