import { afterEach, beforeEach, expect, it } from 'vitest'

import { MAX_MATCHING_BYTES } from '../../../shared/merged-files'
import { createRetailerUser } from '../../testing/fixtures/factories'
import { putMergedFile } from '../../testing/fixtures/merged-files'
import { openTestApp, type Client, type TestApp } from '../../testing/stages/test-app'

let testApp: TestApp
let retailer: Client

beforeEach(async () => {
  testApp = await openTestApp()
  const user = await createRetailerUser(testApp.deps)
  await putMergedFile(testApp.deps, user.id)
  retailer = await testApp.signIn(user)
})
afterEach(() => testApp.close())

const put = (body: string | Buffer) =>
  retailer.request('PUT', '/api/merged-file/matching-file', body)
const download = () => retailer.request('GET', '/api/merged-file/matching.csv')

it('a matching file is sent as it is, however many rows it may have, and can be downloaded again', async () => {
  expect((await download()).status).toBe(404)
  const rows = Array.from(
    { length: 50_000 },
    (_, row) => `N-;Northbeck;SUPPLIER-${row};;Product ${row};MY-OWN-SKU-${row}`,
  )
  const csv = ['prefix;supplier;supplier_sku;gtin;name;sku', ...rows].join('\n')
  expect(csv.length).toBeGreaterThan(2_000_000)
  const { status, body } = await put(csv)
  expect({ status, body }).toEqual({
    status: 200,
    body: { used: 50_000, unusable: 0, repeated: 0 },
  })
  const { text } = await download()
  expect(text.split('\r\n')[1]).toBe('N-,Northbeck,SUPPLIER-0,,Product 0,MY-OWN-SKU-0')
})

it('a file that is none, has nothing in it or is too large changes nothing', async () => {
  await put('gtin,sku\n4006381333931,mine\n')
  const before = (await download()).text
  for (const [body, status, told] of [
    ['a,b\n1,2\n', 400, 'A matching file needs the columns'],
    ['', 400, 'The file is empty'],
    [Buffer.alloc(MAX_MATCHING_BYTES + 1, '1'), 413, 'The file is larger than 16 MB'],
  ] as const) {
    const answer = await put(body)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(told)])
  }
  expect((await download()).text).toBe(before)
})
