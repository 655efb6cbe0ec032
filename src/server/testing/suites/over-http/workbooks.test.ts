import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import type { ShopFormatKind } from '../../../../shared/shop-formats'
import { browseRetailerRows } from '../../../features/distribution/downloads/retailer-files'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

let sourceServer: SourceServer
let world: World
let address: string
let workbook: string

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
  workbook = address.replace('inventory.csv', 'inventory.xlsx')
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

describe('the workbook of a shop', () => {
  it.each(['asIs', 'stock', 'excel', 'google'] as const)(
    'is at inventory.xlsx whatever the shop format is: %s',
    async (kind) => {
      await saveKind(kind)
      const file = await order(workbook)
      expect(file.text.startsWith('PK')).toBe(true)
      expect(file.headers).toMatchObject({
        'content-type': MEDIA_TYPE,
        'content-disposition': expect.stringMatching(/filename="[\w-]+\.xlsx"$/),
        'x-feed-rows': '2',
        'x-feed-delta': 'full',
      })
      expect((await read(address)).text.startsWith('PK')).toBe(false)
      expect((await read(`${workbook}?format=csv`)).headers.etag).toBe(file.headers.etag)
      expect((await read(`${address}?format=xlsx`)).headers.etag).toBe(file.headers.etag)
    },
  )

  it('is the file at every name where it is the shop format, and CSV and JSON are asked for', async () => {
    await saveKind('workbook')
    const { headers } = await read(address)
    expect(headers).toMatchObject({ 'content-type': MEDIA_TYPE, 'x-feed-rows': '2' })
    for (const url of [workbook, address.replace(/csv$/, 'txt'), `${address}?format=xlsx`]) {
      expect((await read(url)).headers.etag).toBe(headers.etag)
    }
    expect((await order(`${address}?format=csv`)).text).toBe(SAMPLE_CSV)
    expect((await order(`${address}?format=json`)).text).toContain('{"sku":"1","name":"Boot"')
  })

  it('has a tag that holds for the same rows, and ranges', async () => {
    const { headers } = await order(workbook)
    const tag = String(headers.etag)
    expect((await read(workbook, { 'if-none-match': tag })).status).toBe(304)
    const range = await read(workbook, { range: 'bytes=0-3', 'if-range': tag })
    expect({ status: range.status, text: range.text }).toEqual({
      status: 206,
      text: 'PK\u0003\u0004',
    })
  })

  it('is never compressed again', async () => {
    await order(workbook)
    for (let time = 0; time < 2; time++) {
      const { headers } = await read(workbook, { 'accept-encoding': 'gzip, br' })
      expect(headers['content-encoding']).toBeUndefined()
      await deps().queue.idle()
    }
    expect(await deps().db.selectFrom('compressedFiles').selectAll().execute()).toEqual([])
  })

  it('comes whole when only changes are asked for', async () => {
    const { headers } = await order(workbook)
    const since = await read(`${workbook}?since=${String(headers['x-feed-version'])}`)
    expect([since.headers.etag, since.headers['x-feed-delta']]).toEqual([headers.etag, 'full'])
  })

  it('is downloaded by those who are signed in, and its rows can be browsed', async () => {
    const { fileName, retailer, testApp } = world
    const client = await testApp.signIn(retailer.user)
    const url = `/api/retailers/${retailer.id}/files/${fileName}`
    await client.request('GET', `${url}?format=xlsx`)
    await deps().queue.idle()
    const asked = await client.request('GET', `${url}?format=xlsx`)
    expect(asked.headers['content-type']).toBe(MEDIA_TYPE)
    await saveKind('workbook')
    expect((await client.request('GET', url)).headers['content-type']).toBe(MEDIA_TYPE)
    const browse = () =>
      browseRetailerRows(deps(), retailer.user, { id: retailer.id, fileName, q: 'cap' })
    await browse().catch(() => undefined)
    await deps().queue.idle()
    expect((await browse()).rows).toMatchObject([{ cells: ['2', 'Cap', 'Hats', '0'] }])
  })
})
