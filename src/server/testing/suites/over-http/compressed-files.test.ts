import { brotliDecompressSync, gunzipSync } from 'node:zlib'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { removeGuards } from '../../fixtures/factories'
import { loseContent } from '../../fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { setReadOnly } from '../../stages/test-database'
import { openWorld, type World } from '../../stages/world'

const HEADER = 'sku,name,category,quantity\r\n'
const CSV = `${HEADER}${Array.from({ length: 100 }, (_, row) => `${row},Boot,Shoes,4\r\n`).join('')}`

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
  await publish(CSV)
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

async function publish(body: string) {
  sourceServer.set('/inventory.csv', { body })
  await deps().db.updateTable('connections').set({ nextSyncAt: deps().clock.now() }).execute()
  await deps().work()
  deps().clock.advance(24 * 60 * 60_000)
  // Moves the retailer to the version.
  await read()
}

async function read(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await world.testApp.app.inject({ method, url: address, headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

const readAs = (accepted: string, headers: Record<string, string> = {}) =>
  read({ 'accept-encoding': accepted, ...headers })

async function compress(accepted = 'gzip') {
  await readAs(accepted)
  await deps().work()
}

const records = () => deps().db.selectFrom('compressedFiles').selectAll().execute()

describe('a file that its reader accepts in a compressed form', () => {
  it('is sent as it is until it has been compressed in the background', async () => {
    const first = await readAs('gzip, br')
    expect(first.headers).not.toHaveProperty('content-encoding')
    expect([first.headers.vary, first.bytes.toString()]).toEqual(['Accept-Encoding', CSV])
    await deps().work()
    await compress('gzip')
    const [gzip, br] = [await readAs('gzip'), await readAs('gzip, br')]
    expect(gzip.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(gzip.bytes.length),
      vary: 'Accept-Encoding',
    })
    expect(gunzipSync(gzip.bytes).toString()).toBe(CSV)
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.bytes).toString()).toBe(CSV)
    expect(new Set([first, gzip, br].map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('is sent in the form that there is until the one that its reader prefers has been made', async () => {
    await compress('gzip')
    expect((await readAs('gzip, br')).headers['content-encoding']).toBe('gzip')
    await deps().work()
    expect((await readAs('gzip, br')).headers['content-encoding']).toBe('br')
    expect((await readAs('br;q=0.5, gzip')).headers['content-encoding']).toBe('gzip')
  })

  it('is compressed in the forms that readers ask for, and no other', async () => {
    await compress('br;q=0.5, gzip')
    await compress('gzip')
    const [{ gzipSha256, brSha256 } = {}] = await records()
    expect([typeof gzipSha256, brSha256]).toEqual(['string', null])
  })

  it('is sent as it is to readers that do not accept copies, which request none', async () => {
    await read()
    await readAs('identity')
    await read({ 'accept-encoding': 'gzip' }, 'HEAD')
    expect(await records()).toEqual([])
    await compress()
    expect((await readAs('gzip;q=0')).bytes.toString()).toBe(CSV)
    expect((await read()).headers).toMatchObject({ vary: 'Accept-Encoding' })
  })

  it('is not compressed when it is small', async () => {
    await removeGuards(deps())
    await publish(`${HEADER}1,Boot,Shoes,4\r\n`)
    await readAs('gzip')
    expect(await records()).toEqual([])
  })

  it('is answered with 304 to a reader that has any form of it', async () => {
    const { headers: asIs } = await read()
    await compress()
    const { headers: gzip } = await readAs('gzip')
    for (const { etag = '' } of [asIs, gzip]) {
      const answer = await readAs('gzip', { 'if-none-match': etag })
      expect([answer.status, answer.headers.etag]).toEqual([304, etag])
      expect(answer.headers.vary).toBe('Accept-Encoding')
    }
    expect((await read({ 'if-none-match': gzip.etag! })).bytes.toString()).toBe(CSV)
  })

  it('is resumed in the form in which it was begun', async () => {
    await compress()
    const whole = await readAs('gzip')
    const range = { range: 'bytes=10-' }
    const rest = await readAs('gzip', { ...range, 'if-range': whole.headers.etag! })
    expect([rest.status, rest.headers['content-encoding']]).toEqual([206, 'gzip'])
    expect(rest.headers['content-range']).toBe(
      `bytes 10-${whole.bytes.length - 1}/${whole.bytes.length}`,
    )
    expect(Buffer.concat([whole.bytes.subarray(0, 10), rest.bytes])).toEqual(whole.bytes)
    const part = await readAs('gzip', range)
    expect(part.headers).not.toHaveProperty('content-encoding')
    expect([part.status, part.bytes.toString()]).toEqual([206, CSV.slice(10)])
  })

  it('has the same headers when only they are requested', async () => {
    await compress()
    const get = await readAs('gzip')
    const head = await read({ 'accept-encoding': 'gzip' }, 'HEAD')
    for (const name of ['etag', 'content-encoding', 'content-length', 'vary']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
    }
    expect(head.bytes).toHaveLength(0)
  })

  it('is sent as it is when a copy is missing, and compressed again', async () => {
    await compress()
    const [{ gzipSha256 } = {}] = await records()
    // Not yet in memory, as after a restart.
    await loseContent(deps().files, gzipSha256!)
    expect((await readAs('gzip')).bytes.toString()).toBe(CSV)
    expect(await records()).toEqual([])
    await compress()
    expect(gunzipSync((await readAs('gzip')).bytes).toString()).toBe(CSV)
  })

  it('is sent while the database cannot be written', async () => {
    await setReadOnly(deps().db, true)
    expect((await readAs('gzip')).bytes.toString()).toBe(CSV)
    await setReadOnly(deps().db, false)
  })
})
