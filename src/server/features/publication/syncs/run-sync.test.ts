import type { ServerResponse } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { recordLog } from '../../../testing/fixtures/log-lines'
import { FIRST, SECOND, openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { updateConnection } from '../../catalogue/connections/connections'

describe('a sync', () => {
  let stage: SyncStage
  let sourceServer: SyncStage['sourceServer']
  let deps: SyncStage['deps']
  let supplier: SyncStage['supplier']
  let connect: SyncStage['connect']
  let current: SyncStage['current']
  let files: SyncStage['files']
  let publishedText: SyncStage['publishedText']
  let publishFirst: SyncStage['publishFirst']

  beforeEach(async () => {
    stage = await openSyncStage()
    ;({ sourceServer, deps, supplier, connect, current, files, publishedText, publishFirst } =
      stage)
  })
  afterEach(() => stage.close())

  it('publishes a canonical source byte for byte', async () => {
    await publishFirst()
    expect(await publishedText()).toBe(FIRST)
    expect(await current()).toMatchObject({
      status: 'synced',
      lastSync: new Date(deps.clock.now()).toISOString(),
      lastError: null,
    })
    expect(await files()).toMatchObject([{ fileSize: FIRST.length, rowCount: 2 }])
    expect((await files())[0]?.fileName).toMatch(/^connection_\d+_2026-01-15T08-30-00-\d{3}Z\.csv$/)
  })

  it('succeeds even when its filtered files cannot be queued', async () => {
    await stage.close()
    const { logger, lines } = recordLog()
    stage = await openSyncStage({ logger })
    const { queue } = stage.deps
    const { add } = queue
    queue.add = async (work) => {
      if (work.job === 'build-variants') throw new Error('The queue is not available')
      await add(work)
    }
    await stage.publishFirst()
    expect(await stage.publishedText()).toBe(FIRST)
    expect(await stage.current()).toMatchObject({ status: 'synced', lastError: null })
    const line = lines().find(({ msg }) => msg === 'Sync finished')
    expect(line).toMatchObject({ outcome: 'published', rowCount: 2 })
  })

  it('publishes a changed source as a new version and keeps the old one', async () => {
    await publishFirst()
    sourceServer.set('/feed.csv', { body: SECOND })
    deps.clock.advance(HOUR_MS)
    await deps.work()
    expect(await publishedText()).toBe(SECOND)
    expect(await files()).toHaveLength(2)
  })

  it('makes no version of unchanged bytes, but updates lastSync', async () => {
    await publishFirst()
    deps.clock.advance(HOUR_MS)
    await deps.work()
    expect(await files()).toHaveLength(1)
    expect((await current()).lastSync).toBe(new Date(deps.clock.now()).toISOString())
  })

  it('sends the validators of the last response and treats 304 as unchanged', async () => {
    sourceServer.set('/feed.csv', {
      body: FIRST,
      etag: '"v1"',
      lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT',
    })
    await connect()
    await deps.work()
    deps.clock.advance(HOUR_MS)
    await deps.work()
    expect(sourceServer.requests[1]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
    })
    expect(await files()).toHaveLength(1)
    expect((await current()).lastSync).toBe(new Date(deps.clock.now()).toISOString())
  })

  it.each([
    ['a web page', { body: '<!doctype html><html></html>' }, /HTML/],
    ['JSON', { body: '{"error":"no"}' }, /JSON/],
    ['nothing', { body: '' }, /CSV file is empty/],
    ['only a header', { body: 'sku,qty\r\n' }, /no rows/],
    ['a row with too many cells', { body: 'sku,qty\r\n1,5\r\n1,2,3\r\n' }, /[Ll]ine 3/],
    ['status 500', { status: 500, body: 'oops' }, /500/],
    ['status 404', { status: 404 }, /404/],
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
    'keeps the last good file when the source sends %s, and records the reason',
    async (_name, route, reason) => {
      await publishFirst()
      const { lastSync } = await current()
      sourceServer.set('/feed.csv', route)
      deps.clock.advance(HOUR_MS)
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

  it('refuses a one-column file that is served as HTML or replaces a wider file', async () => {
    sourceServer.set('/feed.csv', {
      body: 'Please log in\nto see this file\n',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
    await connect()
    await deps.work()
    const refusal = 'its only column is “Please log in”'
    expect((await current()).lastError).toContain(refusal)
    sourceServer.set('/feed.csv', { body: FIRST, headers: { 'content-type': 'text/html' } })
    deps.clock.advance(HOUR_MS)
    await deps.work()
    expect(await publishedText()).toBe(FIRST)
    sourceServer.set('/feed.csv', { body: 'Please log in' })
    deps.clock.advance(HOUR_MS)
    await deps.work()
    expect((await current()).lastError).toContain(refusal)
    expect(await publishedText()).toBe(FIRST)
  })

  it('publishes a one-column file when no wider one was published before', async () => {
    for (const body of ['sku\r\n1\r\n', 'sku\r\n1\r\n2\r\n']) {
      sourceServer.set('/feed.csv', { body })
      if (body.length < 10) await connect()
      deps.clock.advance(HOUR_MS)
      await deps.work()
      expect(await publishedText()).toBe(body)
    }
  })

  it('does not publish a file when the URL was changed while it was read', async () => {
    let respond = () => {}
    const requested = new Promise<void>((resolve) => {
      sourceServer.set('/feed.csv', {
        handler: (_request, response) => {
          respond = () => response.end(FIRST)
          resolve()
        },
      })
    })
    sourceServer.set('/other.csv', { body: SECOND })
    await connect()
    const working = deps.work()
    await requested
    const { id } = await current()
    expect((await current()).status).toBe('running')
    await updateConnection(deps, supplier, { id, config: { url: sourceServer.url('/other.csv') } })
    respond()
    await working
    await deps.work()
    expect(await files()).toHaveLength(1)
    expect(await publishedText()).toBe(SECOND)
  })

  it('keeps the last thirty versions with their key files', async () => {
    await publishFirst()
    for (let day = 0; day < 35; day++) {
      sourceServer.set('/feed.csv', { body: `sku,qty\r\n1,${day}\r\n` })
      deps.clock.advance(DAY_MS)
      await deps.work()
    }
    expect(await files()).toHaveLength(30)
    const stored: string[] = []
    for await (const file of deps.files.list()) stored.push(file.sha256)
    const ofHistory = await deps.db.selectFrom('historyFiles').select('sha256').execute()
    // With one list, which those versions share from which an item has left.
    expect(stored).toHaveLength(61 + ofHistory.length)
  })

  it('keeps the category column of the first sync until the supplier changes it', async () => {
    sourceServer.set('/feed.csv', {
      body: 'sku,category,department\r\n1,Boots,Men\r\n2,Boots,Men\r\n3,Hats,Women\r\n',
    })
    await connect()
    await deps.work()
    expect((await current()).categoryReading).toMatchObject({ column: 'category' })
    const { id } = await current()
    const categoryReading = { column: 'department', pathSeparator: null, listSeparator: null }
    await updateConnection(deps, supplier, { id, categoryReading })
    await deps.queue.idle()
    expect((await current()).categoryReading).toEqual(categoryReading)
    expect(await files()).toHaveLength(2)
  })
})
