import { describe, expect, it } from 'vitest'

import { excelXml, readSheet } from '../../testing/fixtures/workbooks'
import { openDocument, readDocument } from '../../testing/stages/text-documents'

const read = (...parts: Parameters<typeof excelXml>) =>
  readDocument('spreadsheetml', excelXml(...parts))
const csvOf = async (...parts: Parameters<typeof excelXml>) => (await read(...parts)).csv
const cell = (value: string, type = 'String', attributes = '') =>
  `<Cell${attributes}><Data ss:Type="${type}">${value}</Data></Cell>`
const row = (...cells: string[]) => `<Row>${cells.join('')}</Row>`
const style = (format: string, attributes = 'ss:ID="s1"') =>
  `<Style ${attributes}><NumberFormat ss:Format="${format}"/></Style>`

describe('the cells of an XML spreadsheet of Excel 2003', () => {
  it.each([
    ['String', '00123', '00123'],
    ['String', ' a  b ', ' a  b '],
    ['String', 'a&#10;b &amp; &quot;c&quot;', '"a\nb & ""c"""'],
    ['String', '<![CDATA[<b>]]>', '<b>'],
    ['Number', '5', '5'],
    ['Number', '1.1000000000000001', '1.1'],
    ['Number', '1.5E-3', '0.0015'],
    ['Number', '4006381333931', '4006381333931'],
    ['Number', '-0.5', '-0.5'],
    ['Boolean', '1', 'TRUE'],
    ['Boolean', '0', 'FALSE'],
    ['DateTime', '2026-11-25T00:00:00.000', '2026-11-25'],
    ['DateTime', '2026-11-25T14:30:00.000', '2026-11-25T14:30:00'],
    ['DateTime', '2026-11-25T14:30:00.500', '2026-11-25T14:30:00.5'],
    ['DateTime', '1899-12-31T08:30:00.000', '08:30:00'],
    ['DateTime', 'today', 'today'],
    ['Error', '#N/A', '#N/A'],
  ])('of type %s have their value: %s', async (type, value, text) => {
    expect(await csvOf({ rows: row(cell(value, type)) })).toBe(`${text}\n`)
  })

  it('have the texts of rich texts, and not those of comments', async () => {
    const rich =
      '<ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>Boot</B><Font> new</Font></ss:Data>'
    const comment =
      '<Comment ss:Author="A"><ss:Data xmlns="http://www.w3.org/TR/REC-html40"><B>Ask</B></ss:Data></Comment>'
    const rows = row(
      `<Cell>${rich}${comment}<NamedCell ss:Name="x"/></Cell>`,
      `<Cell>${comment}</Cell>`,
      cell('end'),
    )
    expect(await csvOf({ rows })).toBe('Boot new,,end\n')
  })

  it('stand where their indices and merged cells say', async () => {
    const rows = [
      row(cell('a', 'String', ' ss:MergeAcross="1" ss:MergeDown="1"'), cell('b')),
      row(cell('c', 'String', ' ss:Index="3"')),
      `<Row ss:Index="5" ss:Span="1"/>`,
      row('<Cell/>', cell('d')),
    ]
    expect(await csvOf({ rows: rows.join('') })).toBe('a,,b\n,,c\n\n\n\n\n,d\n')
  })

  it('stand beside cells that are merged down, also without an index', async () => {
    const rows = [
      row(cell('a', 'String', ' ss:MergeDown="2"'), cell('b')),
      row(cell('c')),
      row(cell('d', 'String', ' ss:Index="1"'), cell('e')),
      row(cell('f')),
    ]
    expect(await csvOf({ rows: rows.join('') })).toBe('a,b\n,c\nd,e\nf\n')
  })

  it.each([
    ['Number', '123', '0000000', '0000123'],
    ['Number', '3667', '&quot;ART-&quot;00000', 'ART-03667'],
    ['Number', '1234.5', 'Standard', '1234.5'],
    ['Number', '0.19', 'Percent', '0.19'],
    ['Number', '1', 'Yes/No', '1'],
    ['Number', '46351', 'Short Date', '2026-11-25'],
    ['Number', '46351.5', 'General Date', '2026-11-25T12:00:00'],
    ['Number', '0.5', 'Medium Time', '12:00:00'],
    ['DateTime', '2026-11-25T08:30:00.000', 'h:mm', '08:30:00'],
    ['DateTime', '1900-01-01T12:00:00.000', '[h]:mm', '36:00:00'],
    ['DateTime', '1900-03-01T00:00:00.000', '[h]:mm', '1464:00:00'],
    ['DateTime', '1899-12-31T36:00:00.000', 'Short Time', '36:00:00'],
    ['DateTime', '2026-11-25T00:00:00.000', '@', '2026-11-25'],
  ])('of type %s with the value %s and the format %s', async (type, value, format, text) => {
    const rows = row(cell(value, type, ' ss:StyleID="s1"'))
    expect(await csvOf({ styles: style(format), rows })).toBe(`${text}\n`)
  })

  it('have the format of their row, column or table where they have none, and that of a parent', async () => {
    const styles =
      style('000') +
      style('00000', 'ss:ID="s2"') +
      '<Style ss:ID="s3" ss:Parent="s2"><Font/></Style>'
    const column = '<Column ss:Index="2" ss:Span="1" ss:StyleID="s3"/>'
    const rows =
      column +
      row(...'1234'.split('').map((value) => cell(value, 'Number'))) +
      `<Row ss:StyleID="s1">${cell('5', 'Number')}${cell('6', 'Number', ' ss:StyleID="s2"')}</Row>`
    expect(await csvOf({ styles, rows, table: ' ss:StyleID="s1"' })).toBe(
      '001,00002,00003,004\n005,00006\n',
    )
  })

  it('count days from 1904 where the workbook does', async () => {
    const workbook =
      '<ExcelWorkbook xmlns="urn:schemas-microsoft-com:office:excel"><Date1904/></ExcelWorkbook>'
    const rows = row(
      cell('1', 'Number', ' ss:StyleID="s1"'),
      cell('1904-01-02T06:00:00.000', 'DateTime', ' ss:StyleID="s2"'),
    )
    const styles = style('Short Date') + style('[h]:mm', 'ss:ID="s2"')
    expect(await csvOf({ workbook, styles, rows })).toBe('1904-01-02,30:00:00\n')
  })

  it('that are hidden, filtered, an error or a formula without a result are told of', async () => {
    const rows = [
      '<Column ss:Hidden="1" ss:Span="1"/><Column/>',
      row(cell('a'), cell('b'), cell('c')),
      `<Row ss:Hidden="1">${cell('#REF!', 'Error', ' ss:Formula="=A1"')}<Cell ss:Formula="=A2"/></Row>`,
      row(cell('#N/A', 'String', ' ss:Formula="of:=#N/A"'), cell('12345678901234567890', 'Number')),
    ]
    const after =
      '<AutoFilter x:Range="R1C1:R5C3" xmlns="urn:schemas-microsoft-com:office:excel"><AutoFilterColumn x:Index="2" x:Type="NonBlanks"/></AutoFilter>'
    const { problems } = await read({ rows: rows.join(''), after })
    expect(problems.map(({ line, message, count }) => [line, message.slice(0, 24), count])).toEqual(
      [
        [2, 'Hidden rows of the sheet', 1],
        [2, 'Cells have an error of a', 2],
        [2, 'Formulas without a store', 1],
        [3, 'Numbers have more than 1', 1],
        [null, 'The sheet has a filter, ', 1],
        [null, 'Hidden columns of the sh', 2],
      ],
    )
  })
})

describe('the sheets of an XML spreadsheet of Excel 2003', () => {
  const sheet = (name: string, rows: string, after = '') =>
    `<Worksheet ss:Name="${name}"><Table>${rows}</Table>${after}</Worksheet>`
  const options = (visible: string) =>
    `<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Selected/><Visible>${visible}</Visible></WorksheetOptions>`

  it('are listed with their sizes, also those that are hidden', async () => {
    const rows = row(cell('a'), cell('b')) + row(cell('c'))
    const sheets =
      sheet('R&amp;D', rows, '<WorksheetOptions/>') +
      sheet('Old', row(cell('x')), options('SheetHidden')) +
      sheet('Older', '', options('SheetVeryHidden')) +
      '<Worksheet ss:Name="Empty"/>'
    const workbook = await openDocument('spreadsheetml', excelXml({ sheets }))
    expect(workbook.sheets).toEqual([
      { name: 'R&D', isHidden: false, rows: 2, columns: 2 },
      { name: 'Old', isHidden: true, rows: 1, columns: 1 },
      { name: 'Older', isHidden: true, rows: 0, columns: 0 },
      { name: 'Empty', isHidden: false, rows: 0, columns: 0 },
    ])
    expect((await readSheet(workbook, 0)).csv).toBe('a,b\nc\n')
    expect((await readSheet(workbook, 1)).csv).toBe('x\n')
    expect((await readSheet(workbook, 3)).csv).toBe('')
  })

  it('are read with any prefix, in any encoding, and however the bytes arrive', async () => {
    const book = excelXml({ rows: row(cell('Größe'), cell('5', 'Number')) })
    const prefixed = book
      .replace(/<(\/?)(?=[A-Z])/g, '<$1s:')
      .replaceAll('ss:', 'o:')
      .replace('xmlns="', 'xmlns:s="')
      .replace('xmlns:ss=', 'xmlns:o=')
    const latin = Buffer.from(book.replace('?>', ' encoding="iso-8859-1"?>'), 'latin1')
    const utf16 = Buffer.from(`\uFEFF${book}`, 'utf16le')
    for (const bytes of [book, `\uFEFF${book}`, prefixed, latin, utf16]) {
      for (const chunkBytes of [60, 1_000, 1e6]) {
        expect((await readDocument('spreadsheetml', bytes, { chunkBytes })).csv).toBe('Größe,5\n')
      }
    }
  })

  it('are read from the beginning as often as they are opened', async () => {
    const rows = row(cell('a')).repeat(20_000)
    const workbook = await openDocument(
      'spreadsheetml',
      excelXml({ sheets: sheet('A', rows) + sheet('B', row(cell('b'))) }),
    )
    for (let time = 0; time < 2; time++) {
      expect((await readSheet(workbook, 0)).csv).toBe('a\n'.repeat(20_000))
      expect((await readSheet(workbook, 1)).csv).toBe('b\n')
    }
  })
})
