import { createHash } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../shared/durations'
import { listDownloads } from '../../features/distribution/downloads/download-history'
import {
  createFeedAddress,
  listFeedAddresses,
  revokeFeedAddresses,
} from '../../features/distribution/feed-addresses/feed-addresses'
import { updateRetailer } from '../../features/distribution/retailers/retailers'
import { updateSupplier } from '../../features/operations/suppliers/suppliers'
import { createLinkedRetailer, createSupplierUser } from '../../testing/fixtures/factories'
import { recordLog } from '../../testing/fixtures/log-lines'
import { startSourceServer, type SourceServer } from '../../testing/servers/source-server'
import { openTestApp } from '../../testing/stages/test-app'
import { openWorld, type World } from '../../testing/stages/world'

/** The file published by `openWorld`. */
const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
const HATS_CSV = 'sku,name,category,quantity\r\n2,Cap,Hats,0\r\n'
const ETAG = `"${createHash('sha256').update(SAMPLE_CSV).digest('hex')}"`

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps
const create = async (actor = world.retailer.user) =>
  (await createFeedAddress(deps(), actor, world.retailer.id)).path

/** Reads the address as a program without a session. */
const read = (headers: Record<string, string> = {}, { url = address, method = 'GET' } = {}) =>
  world.testApp.client().request(method, url, undefined, headers)

async function publish(body: string) {
  sourceServer.set('/inventory.csv', { body })
  await deps().db.updateTable('connections').set({ nextSyncAt: deps().clock.now() }).execute()
  await deps().work()
}

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = await create()
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

describe('a feed address', () => {
  it('answers anyone who knows it with the rows of its retailer', async () => {
    const { status, text, headers } = await read()
    expect([status, text]).toEqual([200, SAMPLE_CSV])
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(SAMPLE_CSV.length),
      'content-disposition': expect.stringMatching(/^attachment; filename="[\w-]+\.csv"$/),
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'x-feed-version': expect.stringMatching(/^[\w-]{22}$/),
      'x-feed-rows': '2',
      'x-data-as-of': expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      'accept-ranges': 'bytes',
      etag: ETAG,
    })
    expect(headers).not.toHaveProperty('set-cookie')
  })

  it('answers HEAD with the same headers', async () => {
    await read()
    deps().clock.advance(2_000)
    const [head, get] = [await read({}, { method: 'HEAD' }), await read()]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of Object.keys(get.headers)) {
      if (name === 'x-request-id' || name === 'date') continue
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
    }
  })

  it('answers a reader that has the file with 304, by its tag or by its time', async () => {
    await read()
    deps().clock.advance(2_000)
    const { headers } = await read()
    const known = { 'last-modified': String(headers['last-modified']), etag: ETAG }
    expect(known['last-modified']).toBe('Thu, 15 Jan 2026 08:30:00 GMT')
    const conditions = [
      ['if-none-match', ETAG],
      ['if-modified-since', known['last-modified']],
    ] as const
    for (const [name, value] of conditions) {
      const answer = await read({ [name]: value })
      expect([answer.status, answer.text]).toEqual([304, ''])
      expect(answer.headers).toMatchObject(known)
    }
  })

  it('answers a reader that wants another file with 412, by its tag or by its time', async () => {
    await read()
    deps().clock.advance(25 * HOUR_MS)
    await publish(`${SAMPLE_CSV}3,Sock,Socks,1\r\n`)
    await read()
    const time = 'Thu, 15 Jan 2026 08:30:00 GMT'
    const conditions: Record<string, string>[] = [
      { 'if-match': ETAG },
      { 'if-unmodified-since': time },
    ]
    for (const headers of conditions) {
      const { status, body, headers: sent } = await read({ ...headers, range: 'bytes=10-' })
      expect([status, body]).toEqual([412, { message: expect.stringMatching(/^The file is not/) }])
      expect(sent).toMatchObject({ etag: expect.not.stringMatching(ETAG), 'x-feed-rows': '3' })
      expect((await read(headers, { method: 'HEAD' })).status).toBe(412)
    }
    expect((await read({ 'if-match': '*' })).status).toBe(200)
  })

  it('does not state its time in the second in which the file changed', async () => {
    expect((await read()).headers).not.toHaveProperty('last-modified')
  })

  it('lets a broken download be resumed', async () => {
    const rest = await read({ range: 'bytes=10-', 'if-range': ETAG })
    expect([rest.status, rest.text]).toEqual([206, SAMPLE_CSV.slice(10)])
    expect(rest.headers).toMatchObject({
      'content-range': `bytes 10-${SAMPLE_CSV.length - 1}/${SAMPLE_CSV.length}`,
      'content-length': String(SAMPLE_CSV.length - 10),
    })
    const beyond = await read({ range: `bytes=${SAMPLE_CSV.length}-` })
    expect([beyond.status, beyond.text, beyond.headers['content-range']]).toEqual([
      416,
      '',
      `bytes */${SAMPLE_CSV.length}`,
    ])
    const changed = await read({ range: 'bytes=10-', 'if-range': '"other"' })
    expect([changed.status, changed.text]).toEqual([200, SAMPLE_CSV])
  })

  it('changes its version with the file, and only then', async () => {
    const version = async () => (await read()).headers['x-feed-version']
    const first = await version()
    deps().clock.advance(25 * HOUR_MS)
    expect(await version()).toBe(first)
    await publish(`${SAMPLE_CSV}3,Sock,Socks,1\r\n`)
    expect(await version()).not.toBe(first)
    expect((await read()).headers['x-feed-rows']).toBe('3')
  })

  it('follows a change of what the retailer may see', async () => {
    await read()
    const visibilitySettings = { allProducts: false, categories: ['Hats'] }
    await updateRetailer(deps(), world.supplier, { id: world.retailer.id, visibilitySettings })
    const waiting = await read()
    expect([waiting.status, waiting.headers['retry-after']]).toEqual([503, '2'])
    await deps().work()
    const { text, headers } = await read({ 'if-none-match': ETAG })
    expect([text, headers['x-feed-rows']]).toEqual([HATS_CSV, '1'])
  })

  it('keeps answering with the last good file while the source is broken', async () => {
    await read()
    deps().clock.advance(25 * HOUR_MS)
    for (const body of ['', '<html>Service unavailable</html>', 'sku,name\r\n']) {
      await publish(body)
      expect((await read()).text).toBe(SAMPLE_CSV)
    }
  })

  it('keeps answering when its supplier is deactivated', async () => {
    await updateSupplier(deps(), { id: world.supplier.id, isActive: false })
    expect((await read()).text).toBe(SAMPLE_CSV)
  })

  it('follows every change at once, however often it is read', async () => {
    for (let index = 0; index < 3; index++) expect((await read()).status).toBe(200)
    await publish(`${SAMPLE_CSV}3,Sock,Socks,1\r\n`)
    await updateRetailer(deps(), world.supplier, { id: world.retailer.id, syncFrequency: 1 })
    expect((await read()).headers['x-feed-rows']).toBe('3')
    await revokeFeedAddresses(deps(), world.supplier, world.retailer.id)
    expect((await read()).status).toBe(404)
  })

  it('works for a day after it was replaced', async () => {
    const next = await create(world.supplier)
    expect([(await read()).status, (await read({}, { url: next })).status]).toEqual([200, 200])
    deps().clock.advance(DAY_MS)
    expect([(await read()).status, (await read({}, { url: next })).status]).toEqual([404, 200])
  })

  it('is not found once it is revoked, even with the session of its retailer', async () => {
    await revokeFeedAddresses(deps(), world.supplier, world.retailer.id)
    const gone = await world.clients.ownRetailer.request('GET', address)
    expect([gone.status, gone.body]).toEqual([404, { message: 'Feed not found' }])
    expect(gone.headers).toMatchObject({ 'cache-control': 'no-store' })
  })

  it('says that there is no file yet', async () => {
    const supplier = await createSupplierUser(deps())
    const { id, user } = await createLinkedRetailer(deps(), supplier)
    const { path } = await createFeedAddress(deps(), user, id)
    const { status, body } = await read({}, { url: path })
    expect([status, body]).toEqual([404, { message: 'No file is available yet' }])
  })

  it.each([
    ['another token', 'a'.repeat(43)],
    ['no token', ''],
    ['a token that is too long', 'a'.repeat(4_000)],
    ['NUL', '%00'],
    ['a path', '..%2f..%2fapp.db'],
  ])('is not found by %s', async (_what, token) => {
    const { status } = await read({}, { url: `/feeds/${token}/inventory.csv` })
    expect(status).toBe(404)
  })

  it('is not found in another case, or with a longer path', async () => {
    const others = [
      address.toUpperCase(),
      `${address}/`,
      `${address}.gz`,
      address.replace('.csv', ''),
    ]
    for (const url of others) expect([url, (await read({}, { url })).status]).toEqual([url, 404])
  })

  it('refuses to be written, and says how it is read', async () => {
    for (const method of ['POST', 'DELETE', 'PATCH', 'PUT', 'OPTIONS', 'TRACE']) {
      const { status, headers, body } = await read({}, { method })
      expect([method, status, headers.allow]).toEqual([method, 405, 'GET, HEAD'])
      expect(body).toEqual({ message: `The method ${method} is not used here` })
    }
  })

  it('can be read 120 times a minute, and others beside it', async () => {
    const other = await create()
    for (let index = 0; index < 120; index++) await read({ 'if-none-match': ETAG })
    const throttled = await read({ 'if-none-match': ETAG })
    expect([throttled.status, throttled.headers['retry-after']]).toEqual([429, '60'])
    expect((await read({}, { url: other })).status).toBe(200)
  })
})

describe('a read of a feed address', () => {
  const history = () => listDownloads(deps(), world.retailer.user, world.retailer.id)
  const lastUse = async () => {
    await deps().pulls.flush()
    const [newest] = await listFeedAddresses(deps(), world.retailer.user, world.retailer.id)
    return [newest?.lastUsedAt, newest?.lastClient]
  }

  it('is in the retailer’s download history, once for a download in several parts', async () => {
    await read({ 'user-agent': 'curl/8.17.0' })
    await read({ 'user-agent': 'curl/8.17.0', range: 'bytes=10-' })
    await read({ 'user-agent': 'curl/8.17.0', 'if-none-match': ETAG })
    await read({ 'user-agent': 'curl/8.17.0' }, { method: 'HEAD' })
    await deps().pulls.flush()
    expect(await history()).toMatchObject([{ client: 'curl', rowCount: 2 }])
  })

  it('is the last use of the address, also when the file has not changed', async () => {
    expect(await lastUse()).toEqual([null, null])
    await read({ 'user-agent': 'Wget/1.25' })
    deps().clock.advance(HOUR_MS)
    await read({ 'user-agent': 'python-requests/2', 'if-none-match': ETAG })
    expect(await lastUse()).toEqual([new Date(deps().clock.now()).toISOString(), 'Python'])
  })

  it('leaves no trace of its token in the log', async () => {
    const log = recordLog()
    const app = await openTestApp({}, { logger: log.logger })
    const secret = 'Secret-token_Secret-token_Secret-token_1234'
    const paths = ['inventory.csv', 'inventory.csv/', 'x', '', 'inventory.csv?a=1']
    for (const path of paths) await app.client().request('GET', `/feeds/${secret}/${path}`)
    await app.client().request('GET', `//feeds/${secret}/inventory.csv`)
    await app.client().request('GET', `/%66eeds/${secret}/inventory.csv`)
    await app.client().request('GET', `/feeds/${secret}/%zz`)
    await app.close()
    expect(log.lines().filter(({ msg }) => msg === 'Request')).toHaveLength(8)
    expect(log.text()).not.toContain(secret)
  })
})
