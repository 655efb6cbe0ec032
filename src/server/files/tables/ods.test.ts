import { describe, expect, it } from 'vitest'

import { archiveOf, ods, odsWorkbookOf, readSheet } from '../../testing/fixtures/workbooks'
import { openOds } from './ods'

type Parts = Parameters<typeof odsWorkbookOf>[0]

const MB = 1024 * 1024
const read = async (parts: Parts, maxBytes?: number) =>
  readSheet(await odsWorkbookOf(parts, maxBytes))
const csvOf = async (rows: string) => (await read({ rows })).csv

const row = (cells: string, attributes = '') =>
  `<table:table-row ${attributes}>${cells}</table:table-row>`
const cell = (attributes: string, shown = '') =>
  `<table:table-cell ${attributes}>${shown === '' ? '' : `<text:p>${shown}</text:p>`}</table:table-cell>`
const text = (shown: string, attributes = '') =>
  cell(`office:value-type="string" ${attributes}`, shown)
const number = (value: string, shown = value) =>
  cell(`office:value-type="float" office:value="${value}"`, shown)

const cellStyle = (name: string, rest: string) =>
  `<style:style style:name="${name}" style:family="table-cell" ${rest}/>`
const styleOf = (name: string, format: string) =>
  cellStyle(name, `style:data-style-name="${format}"`)
const styled = (name: string, value: string, shown = '') =>
  cell(`table:style-name="${name}" office:value-type="float" office:value="${value}"`, shown)
const format = (name: string, content: string) =>
  `<number:number-style style:name="${name}"><number:text>ART-</number:text>${content}</number:number-style>`
const zeros = (digits: number, attributes = '', content = '') =>
  `<number:number number:decimal-places="0" number:min-integer-digits="${digits}" ${attributes}>${content}</number:number>`
/** The part of the styles that have names. */
const named = (styles: string, rest = '') =>
  `<office:document-styles xmlns:office="o" xmlns:number="n" xmlns:style="s"><office:styles>${styles}</office:styles>${rest}</office:document-styles>`

describe('the rows of an OpenDocument sheet', () => {
  it('are records of CSV, wherever rows are grouped', async () => {
    const rows = `<table:table-header-rows>${row(text('sku') + text('name, long'))}</table:table-header-rows><table:table-row-group><table:table-row-group>${row(text('00417') + number('12'))}</table:table-row-group></table:table-row-group>`
    expect(await csvOf(rows)).toBe('sku,"name, long"\n00417,12\n')
  })

  it('and their cells are repeated as often as they say', async () => {
    const repeated = text('x', 'table:number-columns-repeated="3"')
    const gap = cell('table:number-columns-repeated="2"')
    expect(await csvOf(row(repeated + gap + number('1'), 'table:number-rows-repeated="2"'))).toBe(
      'x,x,x,,,1\nx,x,x,,,1\n',
    )
  })

  it('end with the last that is not empty', async () => {
    const empty = row(
      cell('table:number-columns-repeated="16384"'),
      'table:number-rows-repeated="1048570"',
    )
    const { csv, width } = await read({
      rows: row(text('a') + cell('table:number-columns-repeated="16383"')) + empty,
    })
    expect(csv).toBe('a\n')
    expect(width).toBe(1)
  })

  it('are blank lines between others', async () => {
    expect(
      await csvOf(row(text('a')) + row('', 'table:number-rows-repeated="2"') + row(text('b'))),
    ).toBe('a\n\n\nb\n')
  })

  it('are told where they or columns are hidden or filtered', async () => {
    const { csv, problems } = await read({
      rows: `<table:table-column/><table:table-column-group><table:table-column table:visibility="collapse" table:number-columns-repeated="2"/></table:table-column-group>${row(text('a') + text('b'))}${row(text('c'), 'table:visibility="collapse"')}${row(text('d'), 'table:visibility="filter" table:number-rows-repeated="2"')}${row('', 'table:visibility="filter"')}`,
    })
    expect(csv).toBe('a,b\nc\nd\nd\n')
    expect(problems).toEqual([
      { line: null, count: 1, message: 'Hidden columns of the sheet were read too' },
      { line: 2, count: 3, message: 'Hidden rows of the sheet were read too' },
      { line: null, count: 1, message: expect.stringContaining('has a filter') },
    ])
  })
})

describe('the cells of an OpenDocument sheet', () => {
  it('have the numbers themselves, not as they are shown', async () => {
    const cells = [
      number('1234.5', '1.234,50'),
      cell('office:value-type="percentage" office:value="0.25"', '25%'),
      cell('office:value-type="currency" office:currency="EUR" office:value="19.9"', '19,90 €'),
      number('1.5E-7', '0,00'),
    ]
    expect(await csvOf(row(cells.join('')))).toBe('1234.5,0.25,19.9,0.00000015\n')
  })

  it('keep the leading zeros and hyphens that are shown', async () => {
    const cells = [
      number('417', '0000417'),
      number('123456789', '12345-6789'),
      number('0', '000'),
      number('0', '0'),
      number('-5', '-5'),
      number('0.5', '05'),
      number('12345', '12.345'),
    ]
    expect(await csvOf(row(cells.join('')))).toBe('0000417,12345-6789,000,0,-5,0.5,12345\n')
  })

  it('are shown as their style wants it where that has leading zeros', async () => {
    const shared = format('N1', zeros(5)) + format('N2', zeros(1)) + styleOf('Padded', 'N1')
    const { csv } = await read({
      parts: { 'styles.xml': named(shared) },
      styles:
        cellStyle('ce1', 'style:parent-style-name="Padded"') +
        styleOf('ce2', 'N2') +
        cellStyle('ce3', 'style:parent-style-name="ce3"'),
      rows: `<table:table-column table:number-columns-repeated="4"/><table:table-column table:default-cell-style-name="Padded"/>${row(
        styled('ce1', '12345', 'ART-12345') +
          styled('ce1', '1.5', 'ART-00002') +
          styled('ce2', '7', 'ART-7') +
          styled('ce3', '8', 'ART-8') +
          number('9', 'ART-00009'),
      )}${row(number('8', 'ART-00008'), 'table:default-cell-style-name="Padded"')}`,
    })
    expect(csv).toBe('ART-12345,1.5,7,8,ART-00009\nART-00008\n')
  })

  it('have the zeros of their style where they show no text, or number signs', async () => {
    const dot = '<number:embedded-text number:position="3">.</number:embedded-text>'
    const styles =
      format('N1', zeros(4)) +
      format('N2', `${zeros(5, '', dot)}<number:text> pcs</number:text>`) +
      styleOf('ce1', 'N1') +
      styleOf('ce2', 'N2')
    const cells = [
      styled('ce1', '42'),
      styled('ce1', '42', '###'),
      styled('ce1', '123456'),
      styled('ce1', '1.5'),
      styled('ce2', '42'),
      styled('ce2', '1234567'),
      cell('table:style-name="ce1" office:value-type="float"'),
    ]
    const { csv, problems } = await read({ styles, rows: row(cells.join('')) })
    expect(csv).toBe('ART-0042,ART-0042,ART-123456,1.5,ART-00.042 pcs,ART-1234.567 pcs\n')
    expect(problems).toEqual([])
  })

  it('are told where nobody can know the zeros of their style', async () => {
    const group = (position: number) =>
      `<number:embedded-text number:position="${position}">.</number:embedded-text>`
    const styles =
      format('N1', zeros(4)) +
      format('N2', zeros(4, '', group(6))) +
      format('N3', zeros(99_999_999)) +
      ['1', '2', '3'].map((name) => styleOf(`ce${name}`, `N${name}`)).join('')
    const cells = [styled('ce1', '-42'), styled('ce2', '42'), styled('ce3', '42', '###')]
    const { csv, problems } = await read({ styles, rows: row(cells.join('')) })
    expect(csv).toBe('-42,42,42\n')
    expect(problems).toEqual([
      { line: 1, count: 3, message: expect.stringContaining('read without them') },
    ])
  })

  it('have formats for some numbers only, and numbers that are shown divided or grouped', async () => {
    const map = (condition: string, name: string) =>
      `<style:map style:condition="value()${condition}" style:apply-style-name="${name}"/>`
    const styles =
      format('P0', zeros(5)) +
      format('P1', zeros(1)) +
      format('N1', `${map('&gt;=100', 'P0')}${map('&lt;0', 'P1')}${map('=7', 'no')}`) +
      format('N2', zeros(5, 'number:display-factor="1000"')) +
      format('N3', zeros(5, 'number:grouping="true"')) +
      ['1', '2', '3'].map((name) => styleOf(`ce${name}`, `N${name}`)).join('')
    const cells = [
      styled('ce1', '100', 'ART-00100'),
      styled('ce1', '100'),
      styled('ce1', '99', 'ART-99'),
      styled('ce1', '-5', 'ART-5'),
      styled('ce1', '7', 'ART-7'),
      styled('ce2', '5000', 'ART-00005'),
      styled('ce3', '5000', 'ART-05,000'),
    ]
    const { csv } = await read({ styles, rows: row(cells.join('')) })
    expect(csv).toBe('ART-00100,ART-00100,99,-5,7,5000,5000\n')
  })

  it('have the formats of their own part where others have the same name', async () => {
    const ofFooters = '<office:automatic-styles>'
    const { csv } = await read({
      parts: {
        'styles.xml': named(
          format('N1', zeros(5)) + format('N2', zeros(3)) + styleOf('Padded', 'N1'),
          `${ofFooters}${format('N2', zeros(1))}${format('N3', zeros(2))}${styleOf('ce1', 'N1')}</office:automatic-styles>`,
        ),
      },
      styles:
        format('N1', zeros(1)) +
        styleOf('ce1', 'N1') +
        styleOf('ce2', 'N2') +
        styleOf('ce3', 'N3') +
        cellStyle('ce4', 'style:parent-style-name="Padded"') +
        '<style:style style:name="Padded" style:family="table-column"/>' +
        '<number:date-style style:name="N9"><number:number number:min-integer-digits="9"/></number:date-style>' +
        styleOf('ce9', 'N9'),
      rows: row(
        ['ce1', 'ce2', 'ce3', 'ce4', 'Padded', 'ce9'].map((name) => styled(name, '7')).join(''),
      ),
    })
    expect(csv).toBe('7,ART-007,7,ART-00007,ART-00007,7\n')
  })

  it('are truth values also where those are numbers', async () => {
    const cells = [
      cell('office:value-type="float" office:value="1"', 'TRUE'),
      cell('office:value-type="float" office:value="0" table:formula="of:=FALSE()"', 'FALSCH'),
    ]
    expect(await csvOf(row(cells.join('')))).toBe('TRUE,FALSE\n')
  })

  it('have dates and times in ISO 8601, and booleans as TRUE and FALSE', async () => {
    const cells = [
      cell('office:value-type="date" office:date-value="2026-11-25"', '25.11.26'),
      cell('office:value-type="date" office:date-value="2026-11-25T00:00:00"', '25.11.26'),
      cell(
        'office:value-type="date" office:date-value="2026-11-25T08:30:00.000000000"',
        '25.11.26',
      ),
      cell('office:value-type="time" office:time-value="PT08H30M00S"', '08:30'),
      cell('office:value-type="time" office:time-value="PT30H00M00.500000000S"', '30:00'),
      cell('office:value-type="boolean" office:boolean-value="true"', 'WAHR'),
      cell('office:value-type="boolean" office:boolean-value="false"', 'FALSCH'),
    ]
    expect(await csvOf(row(cells.join('')))).toBe(
      '2026-11-25,2026-11-25,2026-11-25T08:30:00,08:30:00,30:00:00.5,TRUE,FALSE\n',
    )
  })

  it('have all lines and blanks of their text, and nothing of comments and drawings', async () => {
    const comment = '<office:annotation><text:p>a comment</text:p></office:annotation>'
    const content = `${comment}<text:p>  Boot<text:s text:c="3"/><text:span>re</text:span>d,  <text:a>new</text:a><text:tab/>in<text:line-break/>2</text:p><text:p/><draw:frame><text:p>picture</text:p></draw:frame><text:p>last<draw:frame><draw:text-box><text:p>picture</text:p></draw:text-box></draw:frame></text:p>`
    const cells = `<table:table-cell office:value-type="string">${content}</table:table-cell>`
    expect(await csvOf(row(cells))).toBe('"  Boot   red,  new\tin\n2\n\nlast"\n')
  })

  it('have the text of their value where another one is shown', async () => {
    expect(await csvOf(row(text('shown', 'office:string-value="00417"')))).toBe('00417\n')
    expect(await csvOf(row(text('a\tb', 'office:string-value="a\tb"')))).toBe('a\tb\n')
  })

  it('below merged ones are empty', async () => {
    const covered =
      '<table:covered-table-cell office:value-type="string"><text:p>x</text:p></table:covered-table-cell>'
    expect(
      await csvOf(row(text('Shoes', 'table:number-columns-spanned="2"') + covered + number('1'))),
    ).toBe('Shoes,,1\n')
  })

  it('of errors and of formulas without a result are told', async () => {
    const cells = [
      text('#N/A', 'table:formula="of:=NA()" office:string-value="" calcext:value-type="error"'),
      cell('table:formula="of:=1"'),
      cell('table:formula="of:=1" office:value-type="float" office:value="1"', '1'),
    ]
    const { csv, problems } = await read({ rows: row(cells.join('')) })
    expect(csv).toBe('#N/A,,1\n')
    expect(problems).toEqual([
      { line: 1, count: 1, message: expect.stringContaining('an error of a formula') },
      { line: 1, count: 1, message: expect.stringContaining('without a stored result') },
    ])
  })

  it('of more than 15 digits are told as damaged', async () => {
    const { problems } = await read({ rows: row(number('1234567890123450', '1.23E+15')) })
    expect(problems).toMatchObject([{ message: expect.stringContaining('more than 15 digits') }])
  })

  it('with a table inside have none of its rows', async () => {
    const inner = `<table:table table:is-sub-table="true">${row(text('inner'))}</table:table>`
    const cells = `<table:table-cell>${inner}</table:table-cell>`
    expect(await csvOf(row(cells + text('outer')))).toBe(',outer\n')
  })
})

describe('the sheets of an OpenDocument spreadsheet', () => {
  const sheet = (name: string, value: string, style = '') =>
    `<table:table table:name="${name}" table:style-name="${style}"><table:shapes><draw:frame><draw:text-box><text:p>x</text:p></draw:text-box></draw:frame></table:shapes>${row(number(value))}</table:table>`

  it('are listed with their names, and which are hidden; each is read', async () => {
    const workbook = await odsWorkbookOf({
      styles:
        '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
      sheets: sheet('Stock &amp; more', '1', 'ta1') + sheet('Secret', '2', 'ta2'),
    })
    expect(workbook.sheets).toEqual([
      { name: 'Stock & more', isHidden: false, rows: null, columns: null },
      { name: 'Secret', isHidden: true, rows: null, columns: null },
    ])
    expect((await readSheet(workbook, 1)).csv).toBe('2\n')
    expect((await readSheet(workbook, 0)).csv).toBe('1\n')
  })

  it('have their first rows after one pass, however many there are', async () => {
    const long = row(text('x'.repeat(1_000)), 'table:number-rows-repeated="200"')
    const contents = [
      row(text('a') + number('1')),
      '',
      long,
      row(text('x'.repeat(40_000))),
      ...Array.from({ length: 60 }, (_, index) => row(number(`${index}`))),
    ]
    const sheets = contents.map(
      (rows, index) => `<table:table table:name="S${index}">${rows}</table:table>`,
    )
    const archive = await archiveOf(ods({ sheets: sheets.join('') }))
    let passes = 0
    const workbook = await openOds(
      {
        entries: archive.entries,
        read(entry) {
          if (entry.path === 'content.xml') passes++
          return archive.read(entry)
        },
      },
      { maxBytes: MB },
    )
    const headOf = async (index: number) =>
      (await workbook.readHead(workbook.sheets[index]!))?.toString()
    expect([await headOf(0), await headOf(1), await headOf(49)]).toEqual([
      'a,1\n',
      undefined,
      '45\n',
    ])
    expect(await headOf(2)).toBe(`${'x'.repeat(1_000)}\n`.repeat(200).slice(0, 64 * 1024))
    await expect(headOf(3)).rejects.toMatchObject({ code: 'workbook-too-large' })
    expect(passes).toBe(1)
    expect((await readSheet(workbook, 63)).csv).toBe('59\n')
    expect(passes).toBe(2)
  })
})

describe('an OpenDocument spreadsheet is refused', () => {
  const refused = (code: string, message = '') =>
    expect.objectContaining({ name: 'FileError', code, message: expect.stringContaining(message) })

  it('with a password', async () => {
    const manifest =
      '<manifest:manifest xmlns:manifest="m"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    const parts = { 'META-INF/manifest.xml': manifest, 'content.xml': Buffer.from([1, 2, 3]) }
    await expect(read({ parts })).rejects.toEqual(refused('workbook-encrypted', 'password'))
  })

  it('but not for the document type of an old manifest', async () => {
    const manifest = '<!DOCTYPE manifest:manifest PUBLIC "-//O//DTD" "Manifest.dtd"><a/>'
    const parts = { 'META-INF/manifest.xml': manifest }
    expect((await read({ rows: row(number('1')), parts })).csv).toBe('1\n')
  })

  it('without content, or with damaged one', async () => {
    await expect(read({ parts: { 'content.xml': '<a>' } })).rejects.toEqual(
      refused('workbook-damaged', 'content.xml'),
    )
  })

  it.each([
    ['rows', row(text('a'), 'table:number-rows-repeated="99999999"')],
    ['columns', row(text('a', 'table:number-columns-repeated="16385"'))],
    ['blank rows', row('', 'table:number-rows-repeated="1048576"') + row(text('a'))],
  ])('with more %s than a sheet has', async (_name, rows) => {
    await expect(read({ rows })).rejects.toEqual(refused('workbook-damaged', 'XFD'))
  })

  it('when repeated cells would be larger than the limit', async () => {
    const rows = row(
      text('x'.repeat(100), 'table:number-columns-repeated="16000"'),
      'table:number-rows-repeated="1000000"',
    )
    await expect(read({ rows }, 10 * MB)).rejects.toEqual(refused('workbook-too-large', '10 MB'))
  })

  it.each([
    ['in one paragraph', `<text:p>${'x'.repeat(32_768)}</text:p>`],
    ['in many', `<text:p>${'x'.repeat(40)}</text:p>`.repeat(900)],
    ['of blanks', '<text:p><text:s text:c="99999999"/><text:s text:c="99999999"/>x</text:p>'],
    ['of blanks alone', `<text:p>${'<text:s text:c="30000"/>'.repeat(20_000)}</text:p>`],
    ['of line breaks', `<text:p>${'<text:line-break/>'.repeat(40_000)}</text:p>`],
    ['of empty lines', '<text:p/>'.repeat(40_000)],
  ])('with a text of more than 32,767 characters, %s', async (_name, content) => {
    const rows = row(`<table:table-cell office:value-type="string">${content}</table:table-cell>`)
    await expect(read({ rows })).rejects.toEqual(refused('workbook-too-large', '32,767'))
  })

  it('with a row that is too long', async () => {
    const cells = text('x'.repeat(32_000), 'table:number-columns-repeated="140"')
    await expect(read({ rows: row(cells) })).rejects.toEqual(
      refused('workbook-too-large', 'a row with too much text'),
    )
  })
})

describe('an OpenDocument spreadsheet is read in time', () => {
  it('with thousands of ranges of hidden columns', async () => {
    const column =
      '<table:table-column table:visibility="collapse" table:number-columns-repeated="16384"/>'
    expect((await read({ rows: column.repeat(20_000) + row(number('1')) })).csv).toBe('1\n')
  })
})
