import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import type { ShopFormatKind } from '../../../../shared/shop-formats'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

const MEDIA_TYPE = 'application/vnd.apache.parquet'

let sourceServer: SourceServer
let world: World
let address: string
let parquet: string

const deps = () => world.testApp.deps
const read = (url: string, headers: Record<string, string> = {}) =>
  world.testApp.client().request('GET', url, undefined, headers)

/** Reads a file that has to be built first. */
async function order(url: string) {
  expect((await read(url)).status).toBe(503)
  await deps().queue.idle()
  return read(url)
}

async function saveKind(kind: ShopFormatKind) {
  const profile = shopFormatSchema.parse({ kind })
  await saveShopFormat(deps(), world.retailer.user, { id: world.retailer.id, profile })
  await deps().queue.idle()
}

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
  parquet = address.replace('inventory.csv', 'inventory.parquet')
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

describe('the Parquet file of a shop', () => {
  it.each([
    ['asIs', ['sku', 'name', 'category', 'quantity']],
    ['stock', ['sku', 'quantity']],
    ['workbook', ['sku', 'name', 'category', 'quantity']],
  ] as const)('is at inventory.parquet whatever the shop format is: %s', async (kind, names) => {
    await saveKind(kind)
    const file = await order(parquet)
    expect(file.headers).toMatchObject({
      'content-type': MEDIA_TYPE,
      'content-disposition': expect.stringMatching(/filename="[\w-]+\.parquet"$/),
      'x-feed-rows': '2',
      'x-feed-delta': 'full',
    })
    const body = new Uint8Array(file.bytes).buffer
    const { schema } = parquetMetadata(body)
    expect(schema.slice(1).map(({ name }) => name)).toEqual(names)
    expect(schema.at(-1)).toMatchObject({ name: 'quantity', type: 'INT64' })
    expect(await parquetReadObjects({ file: body })).toMatchObject([
      { sku: '1', quantity: 4n },
      { sku: '2', quantity: 0n },
    ])
    expect((await read(`${parquet}?format=csv`)).headers.etag).toBe(file.headers.etag)
    expect((await read(`${address}?format=parquet`)).headers.etag).toBe(file.headers.etag)
    expect((await read(address)).headers['content-type']).not.toBe(MEDIA_TYPE)
  })

  it('has a tag that holds for the same rows, ranges, and is never compressed again', async () => {
    const { headers } = await order(parquet)
    const tag = String(headers.etag)
    expect((await read(parquet, { 'if-none-match': tag })).status).toBe(304)
    const range = await read(parquet, { range: 'bytes=-4', 'if-range': tag })
    expect({ status: range.status, text: range.text }).toEqual({ status: 206, text: 'PAR1' })
    for (let time = 0; time < 2; time++) {
      const asked = await read(parquet, { 'accept-encoding': 'gzip, br' })
      expect(asked.headers['content-encoding']).toBeUndefined()
      await deps().queue.idle()
    }
    expect(await deps().db.selectFrom('compressedFiles').selectAll().execute()).toEqual([])
  })

  it('comes whole when only changes are asked for', async () => {
    const { headers } = await order(parquet)
    const since = await read(`${parquet}?since=${String(headers['x-feed-version'])}`)
    expect([since.headers.etag, since.headers['x-feed-delta']]).toEqual([headers.etag, 'full'])
  })

  it('is a variant of its own, which ends with the settings that it was written with', async () => {
    const stored = async () =>
      (await deps().db.selectFrom('variants').select('view').execute()).filter(({ view }) =>
        JSON.stringify(view).includes('isParquet'),
      ).length
    await order(parquet)
    expect(await stored()).toBe(1)
    await saveKind('stock')
    expect((await read(parquet)).status).toBe(503)
  })

  it('is downloaded by those who are signed in', async () => {
    const { fileName, retailer, testApp } = world
    const client = await testApp.signIn(retailer.user)
    const url = `/api/retailers/${retailer.id}/files/${fileName}?format=parquet`
    await client.request('GET', url)
    await deps().queue.idle()
    expect((await client.request('GET', url)).headers['content-type']).toBe(MEDIA_TYPE)
  })
})
