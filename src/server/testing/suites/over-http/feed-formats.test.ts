import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import type { ShopFormatKind } from '../../../../shared/shop-formats'
import { createFeedAddress } from '../../../features/distribution/feed-addresses/feed-addresses'
import { saveShopFormat } from '../../../features/distribution/shop-formats/shop-formats'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { openWorld, type World } from '../../stages/world'

/** The file published by `openWorld`. */
const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'

let sourceServer: SourceServer
let world: World
let address: string

const deps = () => world.testApp.deps
/** Reads an address as a program without a session. */
const read = (headers: Record<string, string> = {}, { url = address } = {}) =>
  world.testApp.client().request('GET', url, undefined, headers)

beforeEach(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  address = (await createFeedAddress(deps(), world.retailer.user, world.retailer.id)).path
})
afterEach(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

describe('the form of a shop’s file', () => {
  const order = async (path: string) => {
    expect((await read({}, { url: path })).status).toBe(503)
    await deps().queue.idle()
    return read({}, { url: path })
  }
  const saveKind = async (kind: ShopFormatKind) => {
    const profile = shopFormatSchema.parse({ kind, location: 'Main' })
    await saveShopFormat(deps(), world.retailer.user, { id: world.retailer.id, profile })
    await deps().queue.idle()
    return read()
  }

  it('is told by the media type and the file name', async () => {
    const google = await saveKind('google')
    expect(google.text).toBe('id\tavailability\n1\tin_stock\n2\tout_of_stock\n')
    expect(google.headers).toMatchObject({
      'content-type': 'text/tab-separated-values; charset=utf-8',
      'content-disposition': expect.stringContaining('.txt"'),
      'x-feed-rows': '2',
    })
    const byExtension = await read({}, { url: address.replace(/csv$/, 'txt') })
    expect(byExtension.text).toBe(google.text)
  })

  it('has the name, the command and an address for importers of Shopify’s products', async () => {
    const shopify = await saveKind('shopify')
    expect(shopify.headers['content-disposition']).toBe('attachment; filename="products.csv"')
    expect(shopify.text).toBe(
      'Variant SKU,Inventory Available: Main,Command\n1,4,UPDATE\n2,0,UPDATE\n',
    )
    const products = address.replace('inventory.csv', 'products.csv')
    for (const url of [products, address.replace(/csv$/, 'txt')]) {
      const file = await read({}, { url })
      expect([file.status, file.text]).toEqual([200, shopify.text])
    }
    const sameVersion = { 'if-none-match': String(shopify.headers.etag) }
    expect((await read(sameVersion, { url: products })).status).toBe(304)
    expect((await order(`${products}?format=json`)).text).toContain('"Command":"UPDATE"}\n')
    expect((await read({}, { url: `${products.slice(0, -4)}.txt` })).status).toBe(404)
  })

  it('is one JSON object for each row when the address asks for it', async () => {
    const url = `${address}?format=json`
    const { text, headers } = await order(url)
    expect(text).toBe(
      '{"sku":"1","name":"Boot","category":"Shoes","quantity":4}\n' +
        '{"sku":"2","name":"Cap","category":"Hats","quantity":0}\n',
    )
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': expect.stringContaining('.ndjson"'),
    })
    const again = await read({ 'if-none-match': String(headers.etag) }, { url })
    expect(again.status).toBe(304)
    expect((await read({}, { url: `${address}?format=csv` })).text).toBe(SAMPLE_CSV)
    expect((await read({}, { url: `${address}?format=xml` })).status).toBe(400)
    expect((await read({}, { url: `${address}?format=json&format=json` })).status).toBe(400)
  })

  it('is that of session downloads too', async () => {
    const { fileName, retailer, testApp } = world
    const client = await testApp.signIn(retailer.user)
    const url = `/api/retailers/${retailer.id}/files/${fileName}?format=json`
    await client.request('GET', url)
    await deps().queue.idle()
    expect((await client.request('GET', url)).text).toContain('"name":"Boot"')
  })
})
