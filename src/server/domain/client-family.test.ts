import { describe, expect, it } from 'vitest'

import { readClientFamily } from './client-family'

const WEBKIT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)'

describe('readClientFamily', () => {
  it.each([
    [`${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, 'Chrome'],
    [`${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge'],
    [`${WEBKIT} Chrome/142.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera'],
    [`${WEBKIT} Version/26.0 Safari/605.1.15`, 'Safari'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox'],
    ['Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)', 'Excel'],
    [
      'Mozilla/5.0 (compatible; GoogleDocs; apps-spreadsheets; +http://docs.google.com)',
      'Google Sheets',
    ],
    ['WordPress/6.9; https://shop.example', 'WordPress'],
    ['curl/8.17.0', 'curl'],
    ['python-requests/2.32', 'Python'],
    ['node', 'Node.js'],
    ['WooCommerce/9.1', 'WooCommerce/9.1'],
    ['ShopSync/2.0 (+https://shop.example)', 'ShopSync/2.0'],
    ['Mozilla/5.0 (compatible; StockBot/1.2; +https://bot.example)', 'StockBot/1.2'],
    ['Importer', 'Importer'],
    ['Mozilla/5.0', 'Another program'],
    [`Shop${'p'.repeat(60)}/1`, 'Another program'],
    ['Sync/1\u0000<b>', 'Another program'],
    ['<script>alert(1)</script>', 'Another program'],
    [`${'x'.repeat(300)}curl`, 'Another program'],
    ['', 'Another program'],
    [undefined, 'Another program'],
  ])('of %s is %s', (userAgent, family) => {
    expect(readClientFamily(userAgent)).toBe(family)
  })
})
