import { describe, expect, it } from 'vitest'

import { DOCUMENTS } from '../../../testing/fixtures/documents'
import { readDocument } from '../../../testing/stages/document-stage'

/** A document's rows, with `¦` between cells. */
async function rowsOf(name: keyof typeof DOCUMENTS) {
  const { rows } = await readDocument(DOCUMENTS[name])
  return rows.map((cells) => cells.join('¦'))
}

describe('feeds of shops', () => {
  it('of Google Merchant have an item a row, and shipping is not taken for variants', async () => {
    expect(await rowsOf('googleMerchant')).toEqual([
      'id¦title¦link¦price¦availability¦additional_image_link¦shipping/country¦shipping/price',
      'A1¦Boot¦https://shop.example/a1¦99.00 EUR¦in stock¦https://shop.example/1.jpg | https://shop.example/2.jpg¦DE | AT¦4.90 EUR | 9.90 EUR',
      'A2¦Hat & scarf¦https://shop.example/a2¦19.00 EUR¦out of stock¦¦¦',
    ])
  })

  it('in Atom have an entry a row', async () => {
    expect(await rowsOf('atom')).toEqual([
      'id¦title¦price¦link@href',
      'A1¦Boot¦99¦https://shop.example/a1',
      'A2¦Hat¦19¦https://shop.example/a2',
    ])
  })

  it('in YML have an offer a row, although there are more categories and they come first', async () => {
    expect(await rowsOf('yml')).toEqual([
      'id¦available¦price¦currencyId¦categoryId¦picture¦name¦vendorCode¦count¦Размер¦Цвет@unit¦Цвет',
      '9012¦true¦8990¦RUR¦2¦https://shop.example/1.jpg | https://shop.example/2.jpg¦Сапоги¦A1234567B¦5¦42¦¦чёрный',
      '9013¦false¦4990¦RUR¦3¦¦Туфли¦A7654321B¦0¦38¦¦',
    ])
  })

  it('of Magento have paths of what is nested', async () => {
    expect(await rowsOf('magento')).toEqual([
      'sku¦name¦price¦stock_item/qty¦stock_item/is_in_stock¦categories/category¦media_gallery/image/file¦media_gallery/image/label',
      'BOOT¦Boot¦99.0000¦5.0000¦1¦Shoes | Boots¦/b/o/boot.jpg | /b/o/boot2.jpg¦Boot',
      'HAT¦Hat¦19.0000¦0.0000¦0¦Hats¦¦',
    ])
  })

  it('of Shopify have a variant a row, which repeats what the product has', async () => {
    const { rows, origin } = await readDocument(DOCUMENTS.shopify)
    expect(origin?.records).toEqual({ path: ['products'], variants: ['variants'] })
    const column = (name: string) => rows.map((cells) => cells[rows[0]?.indexOf(name) ?? -1])
    expect(column('products.title')).toEqual(['products.title', 'Boot', 'Boot', 'Hat'])
    expect(column('title')).toEqual(['title', '42', '43', 'Default'])
    expect(column('sku')).toEqual(['sku', 'BOOT-42', 'BOOT-43', 'HAT'])
    expect(column('price')).toEqual(['price', '199.00', '199.00', '19.50'])
    expect(column('tags')).toEqual(['tags', 'new | winter', 'new | winter', ''])
    expect(column('barcode')).toEqual(['barcode', '0123456789012', '0123456789029', ''])
    expect(column('options').at(-1)).toBe(
      '[{"id":594680423,"name":"Title","position":1,"values":["Default"]}]',
    )
  })

  it('of WooCommerce keep lists of objects as JSON', async () => {
    expect(await rowsOf('wooCommerce')).toEqual([
      'id¦name¦sku¦regular_price¦stock_quantity¦stock_status¦on_sale¦categories¦images¦dimensions.length¦dimensions.width¦dimensions.height¦variations',
      '799¦Boot¦BOOT¦99.00¦5¦instock¦false¦[{"id":9,"name":"Shoes","slug":"shoes"}]¦[{"id":792,"src":"https://shop.example/1.jpg"}]¦1¦2¦3¦',
      '794¦Hat¦HAT¦19.00¦¦instock¦true¦¦¦¦¦¦',
    ])
  })

  it('in BMEcat have an article a row', async () => {
    expect(await rowsOf('bmecat')).toEqual([
      'SUPPLIER_AID¦ARTICLE_DETAILS/DESCRIPTION_SHORT¦ARTICLE_DETAILS/EAN¦ARTICLE_FEATURES/FEATURE/FNAME¦ARTICLE_FEATURES/FEATURE/FVALUE¦ARTICLE_PRICE_DETAILS/ARTICLE_PRICE@price_type¦ARTICLE_PRICE_DETAILS/ARTICLE_PRICE/PRICE_AMOUNT¦ARTICLE_PRICE_DETAILS/ARTICLE_PRICE/PRICE_CURRENCY',
      'A1¦Boot¦4012345678901¦Size | Colour¦42 | black¦net_list¦99.00¦EUR',
      'A2¦Hat¦4012345678918¦Colour¦red¦net_list¦19.00¦EUR',
    ])
  })

  it('that group products by categories have the category in each row', async () => {
    expect(await rowsOf('categories')).toEqual([
      'name¦sku¦price',
      'Shoes¦A1¦9',
      'Shoes¦A2¦8',
      'Hats¦A3¦7',
    ])
  })
})

describe('exports of programs', () => {
  it.each([
    ['mysqldump', ['sku¦qty¦note', 'A1¦5¦', 'A2¦0¦new']],
    ['phpMyAdmin', ['@name¦name¦sku¦qty', 'products¦Boot¦A1¦5', 'products¦Hat¦A2¦0']],
    ['ado', ['sku¦qty¦name', 'A1¦5¦Boot', 'A2¦0¦']],
    ['nameValue', ['sku¦qty', 'A1¦5', 'A2¦0']],
    [
      'ndjson',
      ['sku¦qty¦price.amount¦price.currency¦note', 'A1¦5¦99.90¦EUR¦', 'A2¦0¦19.00¦EUR¦late'],
    ],
    ['records', ['sku¦qty', 'A1¦5', 'A2¦0']],
    ['split', ['sku¦qty', 'A1¦5', 'A2¦0']],
    ['index', ['key¦sku¦qty', '0¦A1¦5', '1¦A2¦0']],
    ['values', ['A1¦5', 'A2¦0']],
    ['table', ['index¦sku¦qty', '0¦A1¦5', '1¦A2¦0']],
    ['map', ['key¦qty¦price', 'A1¦5¦99', 'A2¦0¦19']],
  ] as const)('are read as rows: %s', async (name, rows) => {
    expect(await rowsOf(name)).toEqual(rows)
  })

  it.each(['columns', 'lists'] as const)('are rows if they list columns: %s', async (name) => {
    expect(await rowsOf(name)).toEqual(['sku¦qty', 'A1¦5', 'A2¦0'])
  })
})
