import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../../../shared/automatic-reading'
import { HOUR_MS } from '../../../../shared/durations'
import { shopFormatSchema } from '../../../../shared/schemas/shop-format'
import { createLinkedRetailer } from '../../../testing/fixtures/factories'
import { openSyncStage, type SyncStage } from '../../../testing/stages/sync-stage'
import { updateConnection } from '../../catalogue/connections/connections'
import { readFindings } from '../../catalogue/versions/connection-files'
import { readColumnPolicy } from '../../distribution/column-policy/column-policy'
import { previewRetailerFile } from '../../distribution/downloads/retailer-files'
import { saveShopFormat } from '../../distribution/shop-formats/shop-formats'
import { listVersionHistory } from '../publishing/version-list'

/** A catalogue whose quantities are in an element with this name. */
const catalogue = (quantity = 'qty') => {
  const product = (sku: string, at: number) =>
    `<product><ids><sku>${sku}</sku></ids><stock><${quantity}>${at}</${quantity}></stock><price><amount>9.90</amount></price><in><category>Boots</category></in></product>`
  const products = Array.from({ length: 12 }, (_, at) => product(`A${at}`, at))
  return `<catalogue><products>${products.join('')}</products></catalogue>`
}
const OTHERS =
  '<stores><store><code>P</code><price>1</price></store><store><code>B</code><price>2</price></store></stores>'
const STORES = { path: ['catalogue', 'stores', 'store'], variants: null }

describe('a source that is a document', () => {
  let stage: SyncStage

  beforeEach(async () => {
    stage = await openSyncStage()
    stage.sourceServer.set('/feed.csv', { body: catalogue() })
    await stage.connect()
    await stage.deps.work()
  })
  afterEach(() => stage.close())

  async function receive(body: string) {
    stage.sourceServer.set('/feed.csv', { body })
    stage.deps.clock.advance(HOUR_MS)
    await stage.deps.work()
  }
  const findings = async () => readFindings(stage.deps, stage.supplier, (await stage.current()).id)
  const newest = async () => {
    const { id } = await stage.current()
    return (await listVersionHistory(stage.deps, stage.supplier, id)).versions[0]
  }

  it('is published as a table of its records', async () => {
    expect((await stage.publishedText()).split('\n').slice(0, 2)).toEqual([
      'ids/sku,stock/qty,price/amount,in/category',
      'A0,0,9.90,Boots',
    ])
    expect(await findings()).toMatchObject({
      rowCount: 12,
      problems: [],
      dialect: { origin: { form: 'xml', records: { path: ['catalogue', 'products', 'product'] } } },
      categoryReading: { column: 'in/category' },
    })
  })

  it('has columns that are found by their paths, for shops too', async () => {
    const { deps, supplier } = stage
    const { id } = await stage.current()
    expect((await readColumnPolicy(deps, supplier, id)).found).toEqual({
      sku: 'ids/sku',
      quantity: 'stock/qty',
      barcode: null,
      price: 'price/amount',
      restockDate: null,
      restockQuantity: null,
      cost: null,
      currency: null,
    })
    const shop = await createLinkedRetailer(deps, supplier)
    await deps.queue.idle()
    const profile = shopFormatSchema.parse({ kind: 'stock' })
    await saveShopFormat(deps, shop.user, { id: shop.id, profile })
    await deps.queue.idle()
    expect(await previewRetailerFile(deps, shop.user, shop.id)).toMatchObject({
      columns: ['sku', 'quantity'],
      rows: expect.arrayContaining([['A3', '3']]),
    })
  })

  it('is held if the path of a needed column vanishes', async () => {
    await receive(catalogue('pieces'))
    expect(await newest()).toMatchObject({
      state: 'held',
      holdReasons: ['The quantity column “stock/qty” is gone.'],
    })
    await receive(catalogue().replaceAll('ids>', 'codes>'))
    expect(await newest()).toMatchObject({
      state: 'held',
      holdReasons: ['The key column “ids/sku” is gone.'],
    })
  })

  it('keeps the last good file if the chosen records are gone', async () => {
    const { deps, supplier } = stage
    const { id } = await stage.current()
    await receive(catalogue().replace('</catalogue>', `${OTHERS}</catalogue>`))
    const message =
      '12 items of catalogue/products/product were read. The file also has catalogue/stores/store (2).'
    expect(await findings()).toMatchObject({ problems: [{ setting: 'records', message }] })
    await updateConnection(deps, supplier, {
      id,
      reading: { ...AUTOMATIC_READING, records: STORES },
    })
    await deps.queue.idle()
    await receive(catalogue())
    expect(await stage.current()).toMatchObject({
      lastError:
        'The file has no records at the chosen “catalogue/stores/store”. It has “catalogue/products/product”.',
    })
    expect(await stage.publishedText()).toContain('A0,0,9.90')
  })
})
