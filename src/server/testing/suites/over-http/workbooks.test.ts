import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { browseRetailerRows } from '../../../features/distribution/downloads/retailer-files'
import { openShopFileStage, type ShopFileStage } from '../../stages/shop-file-stage'

const SAMPLE_CSV = 'sku,name,category,quantity\r\n1,Boot,Shoes,4\r\n2,Cap,Hats,0\r\n'
const MEDIA_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

let stage: ShopFileStage
let address: string
let workbook: string

beforeEach(async () => {
  stage = await openShopFileStage()
  address = stage.address
  workbook = address.replace('inventory.csv', 'inventory.xlsx')
})
afterEach(() => stage.close())

describe('the workbook of a shop', () => {
  it.each(['asIs', 'stock', 'excel', 'google'] as const)(
    'is at inventory.xlsx whatever the shop format is: %s',
    async (kind) => {
      await stage.saveKind(kind)
      const file = await stage.order(workbook)
      expect(file.text.startsWith('PK')).toBe(true)
      expect(file.headers).toMatchObject({
        'content-type': MEDIA_TYPE,
        'content-disposition': expect.stringMatching(/filename="[\w-]+\.xlsx"$/),
        'x-feed-rows': '2',
        'x-feed-delta': 'full',
      })
      expect((await stage.read(address)).text.startsWith('PK')).toBe(false)
      expect((await stage.read(`${workbook}?format=csv`)).headers.etag).toBe(file.headers.etag)
      expect((await stage.read(`${address}?format=xlsx`)).headers.etag).toBe(file.headers.etag)
    },
  )

  it('is the file at every name where it is the shop format, and CSV and JSON are asked for', async () => {
    await stage.saveKind('workbook')
    const { headers } = await stage.read(address)
    expect(headers).toMatchObject({ 'content-type': MEDIA_TYPE, 'x-feed-rows': '2' })
    for (const url of [workbook, address.replace(/csv$/, 'txt'), `${address}?format=xlsx`]) {
      expect((await stage.read(url)).headers.etag).toBe(headers.etag)
    }
    expect((await stage.order(`${address}?format=csv`)).text).toBe(SAMPLE_CSV)
    expect((await stage.order(`${address}?format=json`)).text).toContain('{"sku":"1","name":"Boot"')
  })

  it('has a tag that holds for the same rows, and ranges', async () => {
    const { headers } = await stage.order(workbook)
    const tag = String(headers.etag)
    expect((await stage.read(workbook, { 'if-none-match': tag })).status).toBe(304)
    const range = await stage.read(workbook, { range: 'bytes=0-3', 'if-range': tag })
    expect({ status: range.status, text: range.text }).toEqual({
      status: 206,
      text: 'PK\u0003\u0004',
    })
  })

  it('is never compressed again', async () => {
    await stage.order(workbook)
    for (let time = 0; time < 2; time++) {
      const { headers } = await stage.read(workbook, { 'accept-encoding': 'gzip, br' })
      expect(headers['content-encoding']).toBeUndefined()
      await stage.deps.queue.idle()
    }
    expect(await stage.deps.db.selectFrom('compressedFiles').selectAll().execute()).toEqual([])
  })

  it('comes whole when only changes are asked for', async () => {
    const { headers } = await stage.order(workbook)
    const since = await stage.read(`${workbook}?since=${String(headers['x-feed-version'])}`)
    expect([since.headers.etag, since.headers['x-feed-delta']]).toEqual([headers.etag, 'full'])
  })

  it('is downloaded by those who are signed in, and its rows can be browsed', async () => {
    const { fileName, retailer, testApp } = stage.world
    const client = await testApp.signIn(retailer.user)
    const url = `/api/retailers/${retailer.id}/files/${fileName}`
    await client.request('GET', `${url}?format=xlsx`)
    await stage.deps.queue.idle()
    const asked = await client.request('GET', `${url}?format=xlsx`)
    expect(asked.headers['content-type']).toBe(MEDIA_TYPE)
    await stage.saveKind('workbook')
    expect((await client.request('GET', url)).headers['content-type']).toBe(MEDIA_TYPE)
    const browse = () =>
      browseRetailerRows(stage.deps, retailer.user, { id: retailer.id, fileName, q: 'cap' })
    await browse().catch(() => undefined)
    await stage.deps.queue.idle()
    expect((await browse()).rows).toMatchObject([{ cells: ['2', 'Cap', 'Hats', '0'] }])
  })
})
