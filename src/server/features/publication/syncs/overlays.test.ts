import type { ServerResponse } from 'node:http'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import type { OverlayInput } from '../../../../shared/schemas/overlay'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { readFindings } from '../../catalogue/versions/connection-files'
import { listVersionHistory } from '../publishing/version-list'
import { pageTimeline } from '../timeline/timeline'
import { listRuns } from './sync-control'

const FILE = 'sku,name,qty\r\n1,One,5\r\n2,Two,6\r\n'
const STOCK = 'sku,qty,price\n1,7,10\n9,1,1\n'
const JOINED = 'sku,name,qty,price\r\n1,One,7,10\r\n2,Two,6,\r\n'
const COUNTS = {
  joined: 1,
  onlyInFile: { rows: 1, isKept: true },
  onlyInOverlay: { rows: 1, isKept: false },
}
const CHOICES = { onlyInFile: 'keep', onlyInOverlay: 'leave-out' } as const

let server: SourceServer
let stage: ByHandStage

beforeEach(async () => {
  server = await startSourceServer()
  server.set('/file.csv', { body: FILE, etag: '"f1"' })
  server.set('/stock.csv', { body: STOCK, etag: '"s1"' })
  stage = await open({ url: server.url('/stock.csv'), ...CHOICES })
  await stage.deps.work()
})
afterEach(async () => {
  await stage.close()
  await server.close()
})

const open = (overlay: OverlayInput) =>
  openByHandStage({ url: server.url('/file.csv') }, { fetchAllow: [server.host] }, { overlay })

async function sync(ms = HOUR_MS) {
  server.requests.length = 0
  stage.deps.clock.advance(ms)
  await stage.deps.work()
}
const lastRun = async () => (await listRuns(stage.deps, stage.supplier, stage.id))[0]!
/** The requests of the last sync, with a `?` after those that ask whether anything has changed. */
const requested = () =>
  server.requests.map(({ path, headers }) => `${path}${headers['if-none-match'] ? '?' : ''}`)
const change = (changes: Omit<Parameters<typeof updateConnection>[2], 'id'>) =>
  updateConnection(stage.deps, stage.supplier, { id: stage.id, ...changes })

describe('a file and its overlay', () => {
  it('are joined and published as one file, and its run, version and timeline tell the counts', async () => {
    expect(await stage.publishedText()).toBe(JOINED)
    const { deps, supplier, id } = stage
    expect(await lastRun()).toMatchObject({ outcome: 'published', rows: 2, joined: COUNTS })
    const { versions } = await listVersionHistory(deps, supplier, id)
    expect(versions).toMatchObject([{ rowCount: 2, joined: COUNTS, update: null }])
    expect(await readFindings(deps, supplier, id)).toMatchObject({ joined: COUNTS })
    const { items } = await pageTimeline(deps, supplier, { id })
    expect(items).toContainEqual(expect.objectContaining({ kind: 'sync', joined: COUNTS }))
  })

  it('are unchanged only together, which is asked with one request to each', async () => {
    await sync()
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
    expect(requested()).toEqual(['/stock.csv?', '/file.csv?'])
  })

  it('are both fetched when only the overlay has changed', async () => {
    server.set('/stock.csv', { body: STOCK.replace('1,7', '1,3'), etag: '"s2"' })
    await sync()
    expect(await stage.publishedText()).toBe(JOINED.replace('One,7', 'One,3'))
    expect(requested()).toEqual(['/stock.csv?', '/file.csv'])
    await sync()
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
  })

  it('are both fetched when only the file has changed', async () => {
    server.set('/file.csv', { body: `${FILE}9,Nine,\r\n`, etag: '"f2"' })
    await sync()
    expect(await stage.publishedText()).toBe(`${JOINED}9,Nine,1,1\r\n`)
    expect(requested()).toEqual(['/stock.csv?', '/file.csv?', '/stock.csv', '/file.csv'])
    await sync()
    expect(requested()).toEqual(['/stock.csv?', '/file.csv?'])
  })

  it('are both fetched without a condition once a day', async () => {
    await sync(DAY_MS + HOUR_MS)
    expect(requested()).toEqual(['/stock.csv', '/file.csv'])
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
  })

  it('are requested one after the other, so that a sync holds one place at a host', async () => {
    let running = 0
    let most = 0
    const answer = (body: string) => ({
      handler: (_: unknown, response: ServerResponse) => {
        most = Math.max(most, ++running)
        response.on('close', () => running--)
        response.writeHead(200)
        response.write(body.slice(0, 5))
        setTimeout(() => response.end(body.slice(5)), 50)
      },
    })
    server.set('/stock.csv', answer(STOCK))
    server.set('/file.csv', answer(FILE))
    await sync()
    expect([requested(), most]).toEqual([['/stock.csv?', '/file.csv'], 1])
  })

  it('are joined anew as soon as a choice is another one', async () => {
    const overlay = {
      url: server.url('/stock.csv'),
      onlyInFile: 'leave-out',
      onlyInOverlay: 'keep',
    } as const
    expect((await change({ overlay })).overlay).toMatchObject(overlay)
    await sync(0)
    expect(await stage.publishedText()).toBe('sku,name,qty,price\r\n1,One,7,10\r\n9,,1,1\r\n')
    await change({ overlay: null })
    await sync(0)
    expect(requested()).toEqual(['/file.csv'])
    // It has lost the column of prices only.
    expect(await stage.publishedText()).toBe(FILE)
    expect((await lastRun()).joined).toBeNull()
  })

  it('tell their counts also where the joined file is the published one', async () => {
    const { deps, supplier, id } = stage
    server.set('/stock.csv', { body: STOCK.replace('9,1,1', '8,1,1\n9,1,1') })
    await sync()
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
    const onlyInOverlay = { rows: 2, isKept: false }
    expect(await readFindings(deps, supplier, id)).toMatchObject({ joined: { onlyInOverlay } })
  })

  it('leave no scratch file behind', async () => {
    const { deps } = stage
    expect(await deps.files.removeDrafts(async () => new Set())).toBe(0)
  })
})

describe('a sync with an overlay fails, and the published file stays,', () => {
  it.each([
    ['/stock.csv', 'second'],
    ['/file.csv', 'first'],
  ])('when %s is not there, and says at which address', async (path, address) => {
    server.set(path, { status: 404, body: 'gone' })
    await sync()
    expect(await stage.publishedText()).toBe(JOINED)
    expect(await stage.current()).toMatchObject({
      status: 'failed',
      lastError: expect.stringMatching(`^At the ${address} address: The server answered 404`),
    })
  })

  it('when the overlay breaks off', async () => {
    server.set('/stock.csv', {
      handler: (_, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write(STOCK, () => response.destroy())
      },
    })
    await sync()
    expect(await stage.publishedText()).toBe(JOINED)
    expect((await stage.current()).lastError).toMatch(/^At the second address: /)
  })

  it('when keys of the overlay are repeated, with their number', async () => {
    server.set('/stock.csv', { body: `${STOCK}1,8,1\n` })
    await sync()
    expect((await stage.current()).lastError).toBe(
      'At the second address: The file cannot be joined: 1 row in it has a “sku” that another row has, too. Each row needs a key of its own, such as an SKU.',
    )
  })

  it('when the overlay is at a private address, which is not contacted', async () => {
    await change({ overlay: { url: 'http://10.0.0.1/stock.csv', ...CHOICES } })
    await sync(0)
    expect((await stage.current()).lastError).toMatch(
      /^At the second address: Private addresses .* FETCH_ALLOW/,
    )
    expect(requested()).toEqual([])
  })

  it('when the overlay redirects to a private address', async () => {
    server.set('/stock.csv', { status: 302, headers: { location: 'http://10.0.0.1/x' } })
    await sync()
    expect((await stage.current()).lastError).toMatch(/^At the second address: .*redirect/)
  })
})

describe('a file whose overlay has lost a column', () => {
  it('is held, because that of the file may be years old, until somebody decides', async () => {
    server.set('/stock.csv', { body: STOCK.replace('qty', 'pieces'), etag: '"s2"' })
    await sync()
    expect(await stage.publishedText()).toBe(JOINED)
    expect(await stage.current()).toMatchObject({
      status: 'held',
      lastError: expect.stringContaining('The second address has no column “qty” any more'),
    })
  })
})

describe('a file that is sent to a connection with an overlay', () => {
  it('is all there is: nothing is joined to it', async () => {
    await stage.send('all.csv', 'sku,name,qty,price\r\n1,Sent,1,1\r\n')
    await sync(0)
    expect(await stage.publishedText()).toBe('sku,name,qty,price\r\n1,Sent,1,1\r\n')
    expect((await lastRun()).joined).toBeNull()
    await sync()
    expect(await lastRun()).toMatchObject({ outcome: 'unchanged' })
    server.set('/stock.csv', { body: STOCK.replace('1,7', '1,3'), etag: '"s2"' })
    await sync()
    expect(await stage.publishedText()).toBe(JOINED.replace('One,7', 'One,3'))
  })
})

describe('an overlay is refused', () => {
  const overlay = () => ({ url: server.url('/stock.csv'), ...CHOICES })
  const updates = { removal: null, fullName: null }

  it.each([
    ['for files that have only what has changed', () => ({ updates }), 'cannot be used together'],
    ['without a first address', () => ({ config: {} }), 'needs a first one'],
    ['both at once', () => ({ overlay: overlay(), updates }), 'cannot be used together'],
  ])('%s', async (_, changes, message) => {
    await expect(change(changes())).rejects.toMatchObject({
      code: 'INVALID',
      field: 'overlay',
      message: expect.stringContaining(message),
    })
    expect((await stage.current()).overlay).not.toBeNull()
    expect((await change({ ...changes(), overlay: null })).overlay).toBeNull()
  })

  it('when a connection is created with one and without an address', async () => {
    await expect(openByHandStage({}, {}, { overlay: overlay() })).rejects.toMatchObject({
      field: 'overlay',
    })
  })
})
