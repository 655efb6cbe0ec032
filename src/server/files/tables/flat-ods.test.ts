import { expect, it } from 'vitest'

import { flatOds, odsWorkbookOf, readSheet } from '../../testing/fixtures/workbooks'
import { openDocument, readDocument } from '../../testing/stages/text-documents'

const text = (content: string) => `<table:table-cell><text:p>${content}</text:p></table:table-cell>`
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`
const number = (value: string, style = '') =>
  `<table:table-cell${style} office:value-type="float" office:value="${value}"><text:p>x</text:p></table:table-cell>`

it('reads a flat OpenDocument spreadsheet as its archive', async () => {
  const styles =
    '<number:number-style style:name="N1"><number:number number:decimal-places="0" number:min-integer-digits="5"/></number:number-style><style:style style:name="ce1" style:data-style-name="N1"/><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style>'
  const sheet = (name: string, rows: string, style = '') =>
    `<table:table table:name="${name}"${style}>${rows}</table:table>`
  const rows =
    row(text('Größe'), number('5')) +
    '<table:table-row table:number-rows-repeated="2"/>' +
    `<table:table-row table:visibility="collapse"><table:table-cell table:style-name="ce1" office:value-type="float" office:value="7"><text:p>00007</text:p></table:table-cell></table:table-row>`
  const sheets = sheet('Stock', rows) + sheet('Old', row(text('b')), ' table:style-name="ta2"')
  const flat = await openDocument('fods', flatOds({ styles, sheets }), { chunkBytes: 100 })
  const packed = await odsWorkbookOf({ styles, sheets })
  expect(flat.sheets).toEqual(packed.sheets)
  for (const index of [0, 1]) {
    expect(await readSheet(flat, index)).toEqual(await readSheet(packed, index))
  }
  expect((await readSheet(flat)).csv).toBe('Größe,5\n\n\n00007\n')
})

it('has number formats among the styles with names for people as well', async () => {
  const format =
    '<number:number-style style:name="N144"><number:number number:decimal-places="0" number:min-integer-digits="5"><number:embedded-text number:position="3">.</number:embedded-text></number:number></number:number-style>'
  const cellStyle =
    '<style:style style:name="ce1" style:family="table-cell" style:data-style-name="N144"/>'
  const cell =
    '<table:table-cell table:style-name="ce1" office:value-type="float" office:value="4590"><text:p>04.590</text:p></table:table-cell>'
  const whole = flatOds({ styles: cellStyle, rows: row(text('SKU')) + row(cell) }).replace(
    '<office:automatic-styles>',
    `<office:styles>${format}</office:styles><office:automatic-styles>`,
  )
  expect(whole).toContain(format)
  expect((await readSheet(await openDocument('fods', whole))).csv).toBe('SKU\n04.590\n')
})

it('refuses one that is damaged or cut off', async () => {
  const whole = flatOds({ rows: row(text('a')) })
  await expect(openDocument('fods', whole.slice(0, -30))).rejects.toMatchObject({
    code: 'workbook-damaged',
  })
  const lol = whole.replace('?>', '?><!DOCTYPE x [<!ENTITY a "aaa">]>')
  await expect(readDocument('fods', lol)).rejects.toMatchObject({ code: 'workbook-damaged' })
})
