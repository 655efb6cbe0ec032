import { describe, expect, it } from 'vitest'

import { doubtfulPages, webPages } from '../../testing/fixtures/web-pages'
import { readDocument } from '../../testing/stages/document-stage'
import { openDocument } from '../../testing/stages/text-documents'

const kindsOf = (pages: Record<string, string>) => Object.entries(pages)

describe('no table is found on', () => {
  it.each(kindsOf(webPages))('%s', async (_what, page) => {
    await expect(openDocument('html', page)).rejects.toMatchObject({
      name: 'FileError',
      code: 'not-csv-html',
      message: expect.stringContaining('The file is a web page (HTML)'),
    })
  })
})

describe('only when it is chosen, a table is read of', () => {
  it.each(kindsOf(doubtfulPages))('%s', async (_what, page) => {
    const { doubt, sheets } = await openDocument('html', page)
    expect(doubt).toMatchObject({
      code: 'not-csv-html',
      message: expect.stringMatching(/nothing shows that “.+” in it is an inventory/),
    })
    expect(sheets.length).toBeGreaterThan(0)
  })
})

describe('an inventory is known by the names of its columns', () => {
  it.each([
    'Артикул Наименование Цена Остаток Штрихкод',
    'Артикул Назва Ціна Кількість Штрихкод',
    'Κωδικός Περιγραφή Τιμή Ποσότητα Barcode',
    '商品コード 商品名 販売価格 在庫数 バーコード',
    '货号 名称 价格 库存 条码',
    '상품코드 상품명 판매가 재고수량 바코드',
  ])('such as %s', async (header) => {
    const names = header.split(' ')
    const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    const items = [1, 2, 3].map((at) => [`A${at}`, 'x', '5.00', '7', `40000000000${at}`])
    const page = `<html><head><title>x</title></head><body><table>${[names, ...items].map(row).join('')}</table></body></html>`
    expect((await openDocument('html', page)).doubt).toBeUndefined()
    const json = items.map((item) => Object.fromEntries(item.map((cell, at) => [names[at], cell])))
    expect(
      (await readDocument(JSON.stringify({ other: [{ id: 1, note: 'x' }], z: json }))).rows[0],
    ).toEqual(names)
  })
})
