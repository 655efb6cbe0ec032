import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { addShops } from '../support/add-shops'
import { findOverflow } from '../support/find-overflow'
import { startStage, type Stage } from '../support/stage'
import { waitUntilIdle } from '../support/traffic'

const RETAILERS = 200
const COLUMNS = 60
const ROWS = 100_000
/** A phone, a window of 1280 × 900 px at 200 %, and a desktop. */
const SIZES = [
  { width: 320, height: 800 },
  { width: 640, height: 450 },
  { width: 1280, height: 900 },
]

let stage: Stage

beforeAll(async () => {
  stage = await startStage()
  const names = Array.from({ length: COLUMNS - 3 }, (_, place) => `column ${place}`)
  const cells = names.map((_name, place) => `c${place}`).join(',')
  const rows = Array.from({ length: ROWS }, (_, row) => `SKU-${row},Boots,${row % 50},${cells}`)
  stage.sourceServer.set('/inventory.csv', {
    body: `sku,category,stock,${names.join(',')}\n${rows.join('\n')}\n`,
  })
  const acme = await stage.addSupplier('acme')
  await stage.addRetailer(acme, 'summit', { storeName: 'Summit Sports' })
  await addShops(stage, acme, RETAILERS - 1)
  await stage.addConnection(acme, { name: 'Feed', url: stage.sourceServer.url('/inventory.csv') })
})
afterEach(() => stage.leaveTabs())
afterAll(() => stage.close())

it.each([
  ['acme', '/supplier', '100,000'],
  ['acme', '/supplier/retailers?size=100&page=2', '101–200 of 200'],
  ['acme', '/supplier/connections', '100,000'],
  ['acme', '/supplier/inventory', 'of 100,000 rows'],
  ['acme', '/supplier/inventory?rows=all', 'SKU-1'],
  ['admin', '/', '200'],
  ['summit', '/retailer', '100,000'],
  ['summit', '/retailer/inventory', 'of 100,000 rows'],
  ['summit', '/retailer/inventory?rows=all&q=SKU-99999', 'SKU-99999'],
])(
  'nothing is out of view of %s at %s with 200 retailers, 60 columns and 100,000 rows',
  async (username, path, text) => {
    const { page } = await stage.openAs(username, path)
    await page.locator('#content').getByText(text).first().waitFor()
    await waitUntilIdle(page)
    for (const size of SIZES) {
      await page.setViewportSize(size)
      await expect.poll(() => findOverflow(page), { message: `${size.width} px` }).toEqual([])
    }
  },
)
