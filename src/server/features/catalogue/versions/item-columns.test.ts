import { describe, expect, it } from 'vitest'

import type { Dialect } from '../../../../shared/schemas/file'
import { nameItemColumns } from './item-columns'

const dialect: Dialect = {
  encoding: 'utf-8',
  hasByteOrderMark: false,
  delimiter: ',',
  isQuoted: true,
  hasHeader: true,
  compression: 'none',
}
const version = { keyColumn: 'Article', quantityColumn: 'Free', dialect }

describe('the columns of SKUs and quantities', () => {
  it('are those by which the file was read', () => {
    expect(nameItemColumns(['sku', 'article', 'free', 'stock'], version)).toEqual({
      skuColumn: 'article',
      quantityColumn: 'free',
    })
  })

  it('are found by their names where a shop’s format calls them otherwise', () => {
    expect(nameItemColumns(['Variant SKU', 'Stock'], version)).toEqual({
      skuColumn: 'Variant SKU',
      quantityColumn: 'Stock',
    })
  })

  it('are none where the viewer sees neither', () => {
    expect(nameItemColumns(['Colour'], version)).toEqual({ skuColumn: null, quantityColumn: null })
  })
})
