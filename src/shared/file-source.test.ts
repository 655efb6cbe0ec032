import { expect, it } from 'vitest'

import { describeSource } from './file-source'
import type { Origin } from './schemas/file'

const plain: Origin = { form: 'csv', sheets: [], member: null, records: null }
const book: Origin = { form: 'xlsx', sheets: ['Stock'], member: null, records: null }
const feed: Origin = {
  form: 'xml',
  sheets: [],
  member: null,
  records: { path: ['catalog', 'product'], variants: null },
}
const variants: Origin = {
  ...feed,
  records: { path: ['catalog', 'product'], variants: ['variants', 'variant'] },
}
const list: Origin = { ...feed, form: 'json', records: { path: [], variants: null } }
const map: Origin = { ...feed, form: 'json', records: { path: ['products', '*'], variants: null } }
const sent = (fileName: string, isByLink = false) => ({ fileName, isByLink })

it.each([
  [null, null, ''],
  [book, null, 'sheet Stock'],
  [{ ...book, sheets: ['Shoes', 'Hats'] }, null, 'sheets Shoes, Hats'],
  [{ ...plain, member: 'a.csv' }, null, 'a.csv'],
  [{ ...book, member: 'a.xlsx' }, null, 'sheet Stock of a.xlsx'],
  [feed, null, 'XML, product'],
  [variants, sent('feed.xml'), 'XML, product / variant of feed.xml, received by hand'],
  [list, null, 'JSON, records'],
  [map, null, 'JSON, products'],
  [null, sent('stock.csv'), 'stock.csv, received by hand'],
  [null, sent('stock.csv', true), 'stock.csv, received by upload link'],
  [book, sent('stock.xlsx'), 'sheet Stock of stock.xlsx, received by hand'],
  [{ ...plain, member: 'a.csv' }, sent('stock.zip'), 'a.csv in stock.zip, received by hand'],
  [
    { ...book, member: 'a.xlsx' },
    sent('stock.zip', true),
    'sheet Stock of a.xlsx in stock.zip, received by upload link',
  ],
])('says where a file came from: %#', (origin, received, expected) => {
  expect(describeSource({ origin, received })).toBe(expected)
})
