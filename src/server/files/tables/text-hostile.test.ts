import { describe, expect, it } from 'vitest'

import { excelXml, flatOds } from '../../testing/fixtures/workbooks'
import { readDocument } from '../../testing/stages/text-documents'

const MB = 1024 * 1024
const EXCEL = '<html xmlns:x="urn:schemas-microsoft-com:office:excel">'
const HEADER = '<tr><th>SKU</th><th>Price</th><th>Stock</th></tr>'
const ROW = '<tr><td>a</td><td>1</td><td>2</td></tr>'

const html = (content: string, maxBytes?: number) =>
  readDocument('html', EXCEL + content, maxBytes === undefined ? {} : { maxBytes })
const excel = (rows: string, maxBytes?: number) =>
  readDocument('spreadsheetml', excelXml({ rows }), maxBytes === undefined ? {} : { maxBytes })
const refused = (code: string, message = '') =>
  expect.objectContaining({ name: 'FileError', code, message: expect.stringContaining(message) })
const manyAttributes = (count: number) =>
  Array.from({ length: count }, (_, index) => `a${index}=1`).join(' ')

describe('an HTML document is read in time', () => {
  it.each<[string, string, string]>([
    [
      'cells that span a thousand million columns',
      `<table>${HEADER}<tr>${'<td colspan=1000000000>'.repeat(50_000)}</tr></table>`,
      'SKU,Price,Stock\n',
    ],
    [
      'cells that span all rows and columns',
      `<table>${HEADER}${'<tr><td colspan=2048 rowspan=65534>'.repeat(20_000)}</table>`,
      'SKU,Price,Stock\n',
    ],
    [
      'rows of empty cells behind spanned ones',
      `<table>${HEADER}<tr><td colspan=2048 rowspan=65534></tr>${'<tr><td>'.repeat(60_000)}</table>`,
      'SKU,Price,Stock\n',
    ],
    [
      'tags that are never closed',
      `<table>${HEADER}<tr><td>a${'<b><font><p><div><span>'.repeat(100_000)}</table>`,
      'SKU,Price,Stock\na\n',
    ],
    [
      'tags that were never opened',
      `<table>${HEADER}${ROW}${'</b></td></tr></tbody></x>'.repeat(100_000)}</table>`,
      'SKU,Price,Stock\na,1,2\n',
    ],
    [
      'sections without rows',
      `<table>${HEADER}${'<tbody><tr><td rowspan=9>'.repeat(50_000)}</table>`,
      'SKU,Price,Stock\n',
    ],
    [
      'names that are not known, without end',
      `<table>${HEADER}${ROW}</table><${'x'.repeat(500_000)}>`,
      'SKU,Price,Stock\na,1,2\n',
    ],
    [
      'line breaks between cells',
      `<table>${HEADER}<tr>${'<br>'.repeat(200_000)}<td>a</table>`,
      'SKU,Price,Stock\na\n',
    ],
    [
      'the same attribute many times',
      `<table>${HEADER}${ROW}<tr><td ${'a=1 '.repeat(900)}></table>`,
      'SKU,Price,Stock\na,1,2\n',
    ],
    [
      'comments within comments',
      `<!--${'<!--<!x:ExcelWorksheet>'.repeat(30_000)}--><table>${HEADER}${ROW}</table>`,
      'SKU,Price,Stock\na,1,2\n',
    ],
    [
      'rules for Excel without end',
      `<style>${'.a{.b{mso-number-format:"'.repeat(60_000)}</style><table>${HEADER}${ROW}</table>`,
      'SKU,Price,Stock\na,1,2\n',
    ],
  ])('with %s', async (_what, content, csv) => {
    expect((await html(content)).csv).toBe(csv)
  })

  it('with pictures in attributes that are not read', async () => {
    const picture = `<img src="data:image/png;base64,${'A'.repeat(3 * MB)}">`
    const { csv } = await html(`<table>${HEADER}<tr><td>a${picture}</td></tr></table>`)
    expect(csv).toBe('SKU,Price,Stock\na\n')
  })

  it('with tables in tables, of which the innermost are a part of the text', async () => {
    const { csv } = await html(
      `<table>${HEADER}<tr><td>a</td><td>${'<table><tr><td>'.repeat(20_000)}b${'</table>'.repeat(20_000)}</td></tr>${ROW}</table>`,
    )
    expect(csv).toBe('SKU,Price,Stock\na,b\na,1,2\n')
  })

  it('with a hundred thousand tables, of which small ones are no sheets', async () => {
    const small = '<table><tr><td>a</td></tr></table>'.repeat(100_000)
    const { csv } = await readDocument('html', `${small}<table>${HEADER}${ROW}</table>`)
    expect(csv).toBe('SKU,Price,Stock\na,1,2\n')
  })
})

describe('an HTML document is refused', () => {
  it('with a text of more than 32,767 characters', async () => {
    const long = `<table>${HEADER}<tr><td>${'&lt;'.repeat(32_768)}</td></tr></table>`
    await expect(html(long)).rejects.toEqual(refused('workbook-too-large', 'in row 2'))
  })

  it.each([
    [
      'an element with thousands of attributes',
      `<table ${manyAttributes(2_000)}>${HEADER}${ROW}</table>`,
    ],
    [
      'an attribute without end',
      `<table><tr><td style="${'x'.repeat(2 * MB)}">${HEADER}${ROW}</table>`,
    ],
    ['a comment without end', `<table>${HEADER}${ROW}</table><!--${'x'.repeat(2 * MB)}`],
    ['a name without end', `<table>${HEADER}${ROW}</table><${'x'.repeat(2 * MB)}`],
  ])('as damaged with %s', async (_what, content) => {
    await expect(html(content)).rejects.toEqual(refused('workbook-damaged'))
  })

  it('when few cells at the end of many rows would be larger than the limit', async () => {
    const rows = '<tr><td colspan=1900><td>x'.repeat(8_000)
    await expect(html(`<table>${rows}</table>`, 10 * MB)).rejects.toEqual(
      refused('workbook-too-large', '10 MB'),
    )
  })

  it('when its tables together would be larger than the limit', async () => {
    const table = `<table>${HEADER}${ROW.repeat(20_000)}</table>`
    await expect(html(table.repeat(20), MB)).rejects.toEqual(refused('workbook-too-large', '1 MB'))
  })

  it('with too many tables', async () => {
    await expect(html(`<table>${HEADER}${ROW}</table>`.repeat(1_001))).rejects.toEqual(
      refused('workbook-too-large', '1,000 tables'),
    )
  })

  it('as a web page with texts of any length in its layout', async () => {
    const terms = `<table><tr><td>${'Terms of delivery '.repeat(10_000)}</td></tr></table>`
    await expect(readDocument('html', terms)).rejects.toEqual(refused('not-csv-html'))
  })
})

describe('an XML spreadsheet of Excel 2003 is refused', () => {
  const cell = (attributes = '') => `<Cell${attributes}><Data ss:Type="String">a</Data></Cell>`
  it.each([
    ['a row beyond 1,048,576', `<Row ss:Index="1048577">${cell()}</Row>`],
    [
      'rows that are skipped beyond it',
      `<Row ss:Index="1048576" ss:Span="1"/><Row>${cell()}</Row>`,
    ],
    ['a row that is no number', '<Row ss:Index="x"/>'],
    ['row 0', '<Row ss:Index="0"/>'],
    ['a fraction of a row', '<Row ss:Index="1.5"/>'],
    ['rows in descending order', '<Row ss:Index="2"/><Row ss:Index="1"/>'],
    ['a column beyond XFD', `<Row>${cell(' ss:Index="16385"')}</Row>`],
    ['cells in descending order', `<Row>${cell(' ss:Index="2"')}${cell(' ss:Index="1"')}</Row>`],
    ['a cell on a merged one', `<Row>${cell(' ss:MergeAcross="2"')}${cell(' ss:Index="2"')}</Row>`],
    [
      'a cell behind one that is merged without end',
      `<Row>${cell(' ss:MergeAcross="99999999999"')}${cell()}</Row>`,
    ],
    ['columns again and again', '<Column ss:Index="1" ss:Span="16383"/>'.repeat(2)],
    ['nested elements', '<x>'.repeat(300)],
    ['thousands of attributes', `<Row ${manyAttributes(2_000).replaceAll('=1', '=""')}/>`],
    ['a text without end', `<Row><Cell><Data ss:Type="Number">${'1'.repeat(2 * MB)}`],
    ['tags that are not closed', '<Row><Cell>'],
    [
      'an entity that it does not define',
      `<Row><Cell><Data ss:Type="String">&a;</Data></Cell></Row>`,
    ],
  ])('as damaged with %s', async (_what, rows) => {
    await expect(excel(rows)).rejects.toEqual(
      expect.objectContaining({ code: expect.stringMatching(/^workbook-(?:damaged|too-large)$/) }),
    )
  })

  it('with a document type, whose entities could expand without end', async () => {
    const book = excelXml({}).replace('?>', '?><!DOCTYPE x [<!ENTITY a "aaaa">]>')
    await expect(readDocument('spreadsheetml', book)).rejects.toEqual(
      refused('workbook-damaged', 'document type'),
    )
  })

  it('with a text of more than 32,767 characters', async () => {
    const text = '<![CDATA[xxxx]]>'.repeat(8_192)
    await expect(
      excel(`<Row><Cell><Data ss:Type="String">${text}</Data></Cell></Row>`),
    ).rejects.toEqual(refused('workbook-too-large', 'in row 1'))
  })

  it('when sheets with one cell in their last row would be larger than the limit', async () => {
    const sheet = `<Worksheet ss:Name="A"><Table><Row ss:Index="1048576">${cell()}</Row></Table></Worksheet>`
    await expect(
      readDocument('spreadsheetml', excelXml({ sheets: sheet.repeat(500) }), { maxBytes: 20 * MB }),
    ).rejects.toEqual(refused('workbook-too-large', '20 MB'))
  })

  it('with too many sheets or styles', async () => {
    const sheets = '<Worksheet ss:Name="A"/>'.repeat(1_001)
    await expect(readDocument('spreadsheetml', excelXml({ sheets }))).rejects.toEqual(
      refused('workbook-too-large', '1,000 sheets'),
    )
    const styles = Array.from({ length: 100_001 }, (_, index) => `<Style ss:ID="${index}"/>`).join(
      '',
    )
    await expect(readDocument('spreadsheetml', excelXml({ styles }))).rejects.toEqual(
      refused('workbook-too-large', 'styles'),
    )
  })

  it('with a number format that is too long', async () => {
    const styles = `<Style ss:ID="a"><NumberFormat ss:Format="${'0'.repeat(2_000)}"/></Style>`
    await expect(readDocument('spreadsheetml', excelXml({ styles }))).rejects.toEqual(
      refused('workbook-damaged', 'number formats'),
    )
  })
})

it('reads a workbook whose styles inherit from each other in a circle', async () => {
  const styles = '<Style ss:ID="a" ss:Parent="b"/><Style ss:ID="b" ss:Parent="a"/>'
  const rows = '<Row><Cell ss:StyleID="a"><Data ss:Type="Number">1</Data></Cell></Row>'.repeat(
    5_000,
  )
  const { csv } = await readDocument('spreadsheetml', excelXml({ styles, rows }))
  expect(csv).toBe('1\n'.repeat(5_000))
})

it('refuses a flat OpenDocument spreadsheet with repeated rows beyond the limit', async () => {
  const rows =
    '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="100"><text:p>a</text:p></table:table-cell></table:table-row>'
  await expect(readDocument('fods', flatOds({ rows }), { maxBytes: 10 * MB })).rejects.toEqual(
    refused('workbook-too-large', '10 MB'),
  )
})
