import type { ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Connection } from '../../../shared/schemas/connection'
import { createSupplierConnection, createSupplierUser } from '../../testing/factories'
import { startFeedServer, type FeedServer } from '../../testing/feed-server'
import { recordLog } from '../../testing/log-lines'
import { openTestDeps, type TestDeps } from '../../testing/test-deps'
import type { UserRecord } from '../accounts/users.queries'
import { listConnections, updateConnection } from '../connections/connections'
import { updateSupplier } from '../suppliers/suppliers'
import { listFiles, openConnectionFile } from '../versions/connection-files'
import { syncNow } from './sync-control'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FIRST = 'sku,qty\r\n1,5\r\n2,7\r\n'
const SECOND = 'sku,qty\r\n1,4\r\n2,7\r\n3,1\r\n'

describe('a sync', () => {
  let feedServer: FeedServer
  let deps: TestDeps
  let supplier: UserRecord

  beforeEach(async () => {
    feedServer = await startFeedServer()
    deps = await openTestDeps({ fetchAllow: [feedServer.host] })
    supplier = await createSupplierUser(deps)
  })
  afterEach(async () => {
    await deps.close()
    await feedServer.close()
  })

  const connect = () => createSupplierConnection(deps, supplier, feedServer.url('/feed.csv'))

  async function current(): Promise<Connection> {
    const [connection] = await listConnections(deps, supplier)
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  async function files() {
    return (await listFiles(deps, supplier, (await current()).id)).files
  }

  async function publishedText(): Promise<string> {
    const [latest] = await files()
    if (!latest) throw new Error('Nothing is published')
    const { id } = await current()
    const file = await openConnectionFile(deps, supplier, { id, fileName: latest.fileName })
    return text(await deps.files.read(file.sha256))
  }

  async function publishFirst() {
    feedServer.set('/feed.csv', { body: FIRST })
    await connect()
    await deps.work()
  }

  it('publishes a canonical source byte for byte', async () => {
    await publishFirst()
    expect(await publishedText()).toBe(FIRST)
    expect(await current()).toMatchObject({
      status: 'synced',
      lastSync: new Date(deps.clock.now()).toISOString(),
      lastError: null,
    })
    expect(await files()).toMatchObject([{ fileSize: FIRST.length, rowCount: 2 }])
    expect((await files())[0]?.fileName).toMatch(/^connection_1_2026-01-15T08-30-00-\d{3}Z\.csv$/)
  })

  it('is due again after its frequency, and not before', async () => {
    await publishFirst()
    deps.clock.advance(HOUR - 1)
    await deps.work()
    expect(feedServer.requests).toHaveLength(1)
    deps.clock.advance(1)
    await deps.work()
    expect(feedServer.requests).toHaveLength(2)
  })

  it('counts as published when its filtered files cannot be queued', async () => {
    await deps.close()
    const { logger, lines } = recordLog()
    deps = await openTestDeps({ fetchAllow: [feedServer.host] }, { logger })
    supplier = await createSupplierUser(deps)
    const { add } = deps.queue
    deps.queue.add = async (work) => {
      if (work.job === 'build-variants') throw new Error('The queue is away')
      await add(work)
    }
    await publishFirst()
    expect(await publishedText()).toBe(FIRST)
    expect(await current()).toMatchObject({ status: 'synced', lastError: null })
    const line = lines().find(({ msg }) => msg === 'Sync finished')
    expect(line).toMatchObject({ outcome: 'published', rowCount: 2 })
  })

  it('publishes a changed source as a new version and keeps the old one', async () => {
    await publishFirst()
    feedServer.set('/feed.csv', { body: SECOND })
    deps.clock.advance(HOUR)
    await deps.work()
    expect(await publishedText()).toBe(SECOND)
    expect(await files()).toHaveLength(2)
  })

  it('makes no version of the same bytes, and counts as checked', async () => {
    await publishFirst()
    deps.clock.advance(HOUR)
    await deps.work()
    expect(await files()).toHaveLength(1)
    expect((await current()).lastSync).toBe(new Date(deps.clock.now()).toISOString())
  })

  it('asks with the validators of the last answer and takes 304 for unchanged', async () => {
    feedServer.set('/feed.csv', {
      body: FIRST,
      etag: '"v1"',
      lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
    })
    await connect()
    await deps.work()
    deps.clock.advance(HOUR)
    await deps.work()
    expect(feedServer.requests[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
    })
    expect(await files()).toHaveLength(1)
    expect((await current()).lastSync).toBe(new Date(deps.clock.now()).toISOString())
  })

  it('reads the whole file once a day, whatever the source says', async () => {
    feedServer.set('/feed.csv', { body: FIRST, etag: '"for ever"' })
    await connect()
    await deps.work()
    feedServer.set('/feed.csv', { body: SECOND, etag: '"for ever"' })
    for (let hour = 0; hour < 24; hour++) {
      deps.clock.advance(HOUR)
      await deps.work()
    }
    expect(await publishedText()).toBe(SECOND)
  })

  it.each([
    ['a web page', { body: '<!doctype html><html></html>' }, /HTML/],
    ['JSON', { body: '{"error":"no"}' }, /JSON/],
    ['nothing', { body: '' }, /CSV file is empty/],
    ['a header alone', { body: 'sku,qty\r\n' }, /no rows/],
    ['a row too wide', { body: 'sku,qty\r\n1,5\r\n1,2,3\r\n' }, /[Ll]ine 3/],
    ['an error', { status: 500, body: 'oops' }, /500/],
    ['a missing file', { status: 404 }, /404/],
    [
      'half a file',
      {
        handler: (_request: unknown, response: ServerResponse) => {
          response.writeHead(200, { 'content-length': '1000', 'content-type': 'text/csv' })
          response.write('sku,qty\r\n1,5\r\n')
          setImmediate(() => response.destroy())
        },
      },
      /cut|broke|complete|end/i,
    ],
  ])(
    'keeps the last good file when the source sends %s, and says so',
    async (_name, route, reason) => {
      await publishFirst()
      const { lastSync } = await current()
      feedServer.set('/feed.csv', route)
      deps.clock.advance(HOUR)
      await deps.work()
      expect(await current()).toMatchObject({
        status: 'failed',
        lastSync,
        lastAttemptAt: new Date(deps.clock.now()).toISOString(),
        consecutiveFailures: 1,
        lastError: expect.stringMatching(reason),
      })
      expect(await publishedText()).toBe(FIRST)
      expect(await files()).toHaveLength(1)
    },
  )

  it('takes a file of one column for a text where more columns are published, or for a page', async () => {
    feedServer.set('/feed.csv', {
      body: 'Please log in\nto see this file\n',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    await connect()
    await deps.work()
    const refusal = 'its only column is “Please log in”'
    expect((await current()).lastError).toContain(refusal)
    feedServer.set('/feed.csv', { body: FIRST, headers: { 'content-type': 'text/html' } })
    deps.clock.advance(HOUR)
    await deps.work()
    expect(await publishedText()).toBe(FIRST)
    feedServer.set('/feed.csv', { body: 'Please log in' })
    deps.clock.advance(HOUR)
    await deps.work()
    expect((await current()).lastError).toContain(refusal)
    expect(await publishedText()).toBe(FIRST)
  })

  it('publishes a file that has one column and never had more', async () => {
    for (const body of ['sku\r\n1\r\n', 'sku\r\n1\r\n2\r\n']) {
      feedServer.set('/feed.csv', { body })
      if (body.length < 10) await connect()
      deps.clock.advance(HOUR)
      await deps.work()
      expect(await publishedText()).toBe(body)
    }
  })

  it('tries again after a growing pause, and recovers by itself', async () => {
    await publishFirst()
    feedServer.set('/feed.csv', { status: 503 })
    deps.clock.advance(HOUR)
    await deps.work()
    for (const minutes of [1.2, 2.3, 4.5]) {
      const before = feedServer.requests.length
      deps.clock.advance((minutes / 2) * MINUTE * 0.9)
      await deps.work()
      expect(feedServer.requests).toHaveLength(before)
      deps.clock.advance(minutes * MINUTE)
      await deps.work()
      expect(feedServer.requests).toHaveLength(before + 1)
    }
    feedServer.set('/feed.csv', { body: SECOND })
    deps.clock.advance(10 * MINUTE)
    await deps.work()
    expect(await publishedText()).toBe(SECOND)
    expect(await current()).toMatchObject({
      consecutiveFailures: 0,
      lastError: null,
      status: 'synced',
    })
  })

  it('never gives up: after a hundred failures it still tries every six hours', async () => {
    feedServer.set('/feed.csv', { status: 500 })
    await connect()
    for (let round = 0; round < 100; round++) {
      await deps.work()
      deps.clock.advance(7 * HOUR)
    }
    expect(feedServer.requests).toHaveLength(100)
  })

  it('waits as long as the source asks', async () => {
    feedServer.set('/feed.csv', { status: 429, headers: { 'retry-after': '1800' } })
    await connect()
    await deps.work()
    deps.clock.advance(29 * MINUTE)
    await deps.work()
    expect(feedServer.requests).toHaveLength(1)
    deps.clock.advance(MINUTE)
    await deps.work()
    expect(feedServer.requests).toHaveLength(2)
  })

  it('starts at once when it is asked for, and when the URL changes', async () => {
    await publishFirst()
    const { id } = await current()
    await syncNow(deps, supplier, id)
    await deps.queue.idle()
    expect(feedServer.requests).toHaveLength(2)
    feedServer.set('/other.csv', { body: SECOND })
    await updateConnection(deps, supplier, { id, config: { url: feedServer.url('/other.csv') } })
    await deps.queue.idle()
    expect(await publishedText()).toBe(SECOND)
  })

  it('does not run for a paused connection, and runs at once when it is resumed', async () => {
    await publishFirst()
    const { id } = await current()
    await updateConnection(deps, supplier, { id, isActive: false })
    deps.clock.advance(24 * HOUR)
    await deps.work()
    expect(feedServer.requests).toHaveLength(1)
    expect((await current()).status).toBe('paused')
    await updateConnection(deps, supplier, { id, isActive: true })
    await deps.queue.idle()
    expect(feedServer.requests).toHaveLength(2)
  })

  it('does not run for a deactivated supplier', async () => {
    await publishFirst()
    await updateSupplier(deps, { id: supplier.id, isActive: false })
    deps.clock.advance(24 * HOUR)
    await deps.work()
    expect(feedServer.requests).toHaveLength(1)
  })

  it('publishes nothing of an address that was changed while it was being read', async () => {
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      feedServer.set('/feed.csv', {
        handler: (_request, response) => {
          answer = () => response.end(FIRST)
          resolve()
        },
      })
    })
    feedServer.set('/other.csv', { body: SECOND })
    await connect()
    const working = deps.work()
    await asked
    const { id } = await current()
    expect((await current()).status).toBe('running')
    await updateConnection(deps, supplier, { id, config: { url: feedServer.url('/other.csv') } })
    answer()
    await working
    await deps.work()
    expect(await files()).toHaveLength(1)
    expect(await publishedText()).toBe(SECOND)
  })

  it('keeps thirty versions', async () => {
    await publishFirst()
    for (let day = 0; day < 35; day++) {
      feedServer.set('/feed.csv', { body: `sku,qty\r\n1,${day}\r\n` })
      deps.clock.advance(24 * HOUR)
      await deps.work()
    }
    expect(await files()).toHaveLength(30)
    const stored: string[] = []
    for await (const file of deps.files.list()) stored.push(file.sha256)
    expect(stored).toHaveLength(30)
  })

  it('fixes the category column at the first sync and lets the supplier change it', async () => {
    feedServer.set('/feed.csv', {
      body: 'sku,category,department\r\n1,Boots,Men\r\n2,Boots,Men\r\n3,Hats,Women\r\n',
    })
    await connect()
    await deps.work()
    expect((await current()).categoryReading).toMatchObject({ column: 'category' })
    const { id } = await current()
    const categoryReading = { column: 'department', pathSign: null, listSign: null }
    await updateConnection(deps, supplier, { id, categoryReading })
    await deps.queue.idle()
    expect((await current()).categoryReading).toEqual(categoryReading)
    expect(await files()).toHaveLength(2)
  })

  it('counts a fault against no source when hosts that have nothing in common cannot be reached', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createSupplierUser(deps)))
    for (const [index, owner] of others.entries()) {
      await createSupplierConnection(deps, owner, `http://nobody-${index}.invalid/feed.csv`)
    }
    await deps.work()
    const connections = await Promise.all(others.map((owner) => listConnections(deps, owner)))
    const failures = connections.map(([connection]) => connection?.consecutiveFailures ?? NaN)
    expect(failures.toSorted((one, other) => one - other)).toEqual([0, 1, 1])
  })
})
