import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openShopFileStage, type ShopFileStage } from '../../stages/shop-file-stage'

const MEDIA_TYPE = 'application/vnd.apache.parquet'

let stage: ShopFileStage
let address: string
let parquet: string

beforeEach(async () => {
  stage = await openShopFileStage()
  address = stage.address
  parquet = address.replace('inventory.csv', 'inventory.parquet')
})
afterEach(() => stage.close())

describe('the Parquet file of a shop', () => {
  it.each([
    ['asIs', ['sku', 'name', 'category', 'quantity']],
    ['stock', ['sku', 'quantity']],
    ['workbook', ['sku', 'name', 'category', 'quantity']],
  ] as const)('is at inventory.parquet whatever the shop format is: %s', async (kind, names) => {
    await stage.saveKind(kind)
    const file = await stage.order(parquet)
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
    expect((await stage.read(`${parquet}?format=csv`)).headers.etag).toBe(file.headers.etag)
    expect((await stage.read(`${address}?format=parquet`)).headers.etag).toBe(file.headers.etag)
    expect((await stage.read(address)).headers['content-type']).not.toBe(MEDIA_TYPE)
  })

  it('has a tag that holds for the same rows, ranges, and is never compressed again', async () => {
    const { headers } = await stage.order(parquet)
    const tag = String(headers.etag)
    expect((await stage.read(parquet, { 'if-none-match': tag })).status).toBe(304)
    const range = await stage.read(parquet, { range: 'bytes=-4', 'if-range': tag })
    expect({ status: range.status, text: range.text }).toEqual({ status: 206, text: 'PAR1' })
    for (let time = 0; time < 2; time++) {
      const asked = await stage.read(parquet, { 'accept-encoding': 'gzip, br' })
      expect(asked.headers['content-encoding']).toBeUndefined()
      await stage.deps.queue.idle()
    }
    expect(await stage.deps.db.selectFrom('compressedFiles').selectAll().execute()).toEqual([])
  })

  it('comes whole when only changes are asked for', async () => {
    const { headers } = await stage.order(parquet)
    const since = await stage.read(`${parquet}?since=${String(headers['x-feed-version'])}`)
    expect([since.headers.etag, since.headers['x-feed-delta']]).toEqual([headers.etag, 'full'])
  })

  it('is a variant of its own, which ends with the settings that it was written with', async () => {
    const stored = async () =>
      (await stage.deps.db.selectFrom('variants').select('view').execute()).filter(({ view }) =>
        JSON.stringify(view).includes('isParquet'),
      ).length
    await stage.order(parquet)
    expect(await stored()).toBe(1)
    await stage.saveKind('stock')
    expect((await stage.read(parquet)).status).toBe(503)
  })

  it('is downloaded by those who are signed in', async () => {
    const { fileName, retailer, testApp } = stage.world
    const client = await testApp.signIn(retailer.user)
    const url = `/api/retailers/${retailer.id}/files/${fileName}?format=parquet`
    await client.request('GET', url)
    await stage.deps.queue.idle()
    expect((await client.request('GET', url)).headers['content-type']).toBe(MEDIA_TYPE)
  })
})
