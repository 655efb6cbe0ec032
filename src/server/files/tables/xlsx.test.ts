import { describe, expect, it } from 'vitest'

import { createRandom } from '../../testing/fixtures/file-fixtures'
import {
  archiveOf,
  csvOf,
  openMemoryScratch,
  readSheet,
  workbookOf,
  worksheet,
  xlsx,
} from '../../testing/fixtures/workbooks'
import { openXlsx } from './xlsx'

const MB = 1024 * 1024

const row = (...cells: string[]) => `<row>${cells.join('')}</row>`
const number = (value: number | string, style = 0) => `<c s="${style}"><v>${value}</v></c>`
const typed = (type: string, value: string) => `<c t="${type}"><v>${value}</v></c>`
const inline = (content: string) => `<c t="inlineStr"><is>${content}</is></c>`
const text = (value: string) => inline(`<t>${value}</t>`)

async function problemsOf(parts: Parameters<typeof workbookOf>[0]) {
  return (await readSheet(await workbookOf(parts))).problems
}

describe('the rows of a sheet', () => {
  it('are records of CSV with quotes where they are needed', async () => {
    const rows = row(text('Boot, "Alpine"'), text('two\nlines'), text(' plain '))
    expect(await csvOf({ rows })).toBe('"Boot, ""Alpine""","two\nlines", plain \n')
  })

  it('are blank lines where the sheet has no cells, so that records have the numbers of rows', async () => {
    const rows =
      '<row r="2"><c r="B2"><v>1</v></c></row><row r="3"/><row r="5"><c r="A5"><v>2</v></c></row>'
    expect(await csvOf({ rows })).toBe('\n,1\n\n\n2\n')
  })

  it('end with their last cell that is not empty', async () => {
    const rows = row(number(1), '<c s="3"/>', text('')) + row('<c s="3"/>') + row(number(2))
    const { csv, width } = await readSheet(await workbookOf({ rows }))
    expect(csv).toBe('1\n\n2\n')
    expect(width).toBe(1)
  })

  it('are counted without references, and cells too', async () => {
    const rows =
      '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row><c r="B2"><v>4</v></c></row>'
    expect(await csvOf({ rows })).toBe('1,,,2,3\n,4\n')
  })

  it('have the numbers of their cells if they have none themselves', async () => {
    expect(
      await csvOf({ rows: '<row><c r="A3"><v>1</v></c></row><row><c r="A4"><v>2</v></c></row>' }),
    ).toBe('\n\n1\n2\n')
  })

  it('may reach the last column', async () => {
    const { csv, width } = await readSheet(
      await workbookOf({ rows: '<row r="1"><c r="XFD1"><v>7</v></c></row>' }),
    )
    expect(csv).toBe(`${','.repeat(16_383)}7\n`)
    expect(width).toBe(16_384)
  })

  it('are read in chunks of at most 64 KiB, also those with long texts', async () => {
    const long = 'ä'.repeat(32_767)
    const workbook = await workbookOf({ rows: row(...Array.from({ length: 6 }, () => text(long))) })
    const lengths: number[] = []
    for await (const chunk of workbook.open(workbook.sheets[0]!).read()) lengths.push(chunk.length)
    expect(Math.max(...lengths)).toBe(65_536)
    expect(lengths.reduce((sum, length) => sum + length)).toBe(6 * 65_534 + 6)
  })

  it('are read again from the beginning', async () => {
    const workbook = await workbookOf({ texts: '<si><t>a</t></si>', rows: row(typed('s', '0')) })
    const rows = workbook.open(workbook.sheets[0]!)
    for await (const chunk of rows.read()) expect(chunk.toString()).toBe('a\n')
    for await (const chunk of rows.read()) expect(chunk.toString()).toBe('a\n')
  })

  it('are none in an empty sheet', async () => {
    expect(await csvOf({ rows: '' })).toBe('')
  })
})

describe('texts', () => {
  it('are found by their numbers, wherever they stand in the archive', async () => {
    const parts = {
      'xl/sharedStrings.xml': '<sst><si><t>first</t></si><si><t/></si><si><t>Größe</t></si></sst>',
    }
    const rows = row(typed('s', '2'), typed('s', '1'), typed('s', '0'))
    expect(await csvOf({ rows, texts: '', parts })).toBe('Größe,,first\n')
  })

  it('keep all parts in different fonts, but not the hints for their pronunciation', async () => {
    const rich =
      '<r><rPr><b/></rPr><t xml:space="preserve">Boot </t></r><r><t>red</t></r><rPh sb="0" eb="1"><t>ブーツ</t></rPh><phoneticPr fontId="1"/>'
    const rows = row(typed('s', '0'), inline(rich))
    expect(await csvOf({ texts: `<si>${rich}</si>`, rows })).toBe('Boot red,Boot red\n')
  })

  it('have the characters that XML cannot have', async () => {
    const escaped = 'a_x000D_\nb_x005F_x0041_ _xZZZZ_'
    const rows = row(typed('s', '0'), text('_x0009_'), typed('str', 'x_x0021_'))
    expect(await csvOf({ texts: `<si><t>${escaped}</t></si>`, rows })).toBe(
      '"a\r\nb_x0041_ _xZZZZ_",\t,x!\n',
    )
  })

  it('may be written as CDATA, with entities, or in UTF-16', async () => {
    const xml = worksheet(row(text('<![CDATA[<b>]]> &amp; &#x1F45F;'))).replace('UTF-8', 'UTF-16')
    const parts = { 'xl/worksheets/sheet1.xml': Buffer.from(`\uFEFF${xml}`, 'utf16le') }
    expect(await csvOf({ parts })).toBe('<b> & 👟\n')
  })

  it('that memory does not keep are read from a scratch file, in whatever order cells name them', async () => {
    const texts = Array.from(
      { length: 20_000 },
      (_, index) => `${index} ${'Boot, red '.repeat(50)}`,
    )
    texts.push('€'.repeat(32_767))
    const { next, below } = createRandom(1)
    const places = texts.map(() => next())
    const shuffled = [...texts.keys()].toSorted((one, other) => places[one]! - places[other]!)
    const named = [...shuffled, ...texts.keys(), 20_000, 0]
    const bytes = xlsx({
      texts: texts.map((one) => `<si><t>${one}</t></si>`).join(''),
      rows: named.map((index) => row(typed('s', `${index}`), number(below(9)))).join(''),
    })
    let writtenBytes = 0
    const openScratch = async () => {
      const scratch = await openMemoryScratch()
      const write = (chunk: Uint8Array) => {
        writtenBytes += chunk.length
        return scratch.write(chunk)
      }
      return { ...scratch, write }
    }
    const workbook = await openXlsx(await archiveOf(bytes), { maxBytes: 64 * MB, openScratch })
    const { csv } = await readSheet(workbook)
    const found = csv.split('\n').map((line) => line.replace(/,\d$/, '').replaceAll('"', ''))
    expect(found).toEqual([...named.map((index) => texts[index]), ''])
    expect(writtenBytes).toBeGreaterThan(5 * MB)
  })

  it('keep their leading zeros', async () => {
    expect(await csvOf({ rows: row(text('00417'), typed('str', '007')) })).toBe('00417,007\n')
  })
})

describe('values', () => {
  it('are TRUE and FALSE', async () => {
    expect(await csvOf({ rows: row(typed('b', '1'), typed('b', '0')) })).toBe('TRUE,FALSE\n')
  })

  it('are the texts of errors, which is told', async () => {
    const parts = { rows: row(number(1)) + row(typed('e', '#N/A'), typed('e', '#DIV/0!')) }
    const { csv, problems } = await readSheet(await workbookOf(parts))
    expect(csv).toBe('1\n#N/A,#DIV/0!\n')
    expect(problems).toEqual([
      { line: 2, count: 2, message: expect.stringContaining('an error of a formula') },
    ])
  })

  it('are the stored results of formulas', async () => {
    const rows = row('<c><f>A1*2</f><v>24</v></c>', '<c t="str"><f>A1</f><v></v></c>')
    const { csv, problems } = await readSheet(await workbookOf({ rows }))
    expect(csv).toBe('24\n')
    expect(problems).toEqual([])
  })

  it('are empty for formulas without a result, which is told', async () => {
    const rows = row(number(1), '<c><f>A1*2</f></c>', '<c><f>A1*3</f><v></v></c>', number(4))
    const { csv, problems } = await readSheet(await workbookOf({ rows }))
    expect(csv).toBe('1,,,4\n')
    expect(problems).toEqual([
      {
        line: 1,
        count: 2,
        message:
          'Formulas without a stored result were read as empty: open the file in Excel and save it',
      },
    ])
  })

  it('of formulas are told where a program has written zeros without calculating', async () => {
    const rows = row('<c><f>A1*2</f><v>0</v></c>')
    const workbookEnd = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'
    expect(await problemsOf({ rows, workbookEnd })).toMatchObject([
      { line: 1, message: expect.stringContaining('never calculated') },
    ])
    expect(await problemsOf({ rows })).toEqual([])
  })

  it('are numbers in their shortest form, without exponents', async () => {
    const rows = row(
      ...[
        '12',
        '-0.5',
        '19.90',
        '0.1000000000000000055',
        '1.5E-3',
        '1e21',
        '-2.5e-10',
        '-0',
        '007',
      ].map((value) => number(value)),
    )
    expect(await csvOf({ rows })).toBe(
      '12,-0.5,19.9,0.1,0.0015,1000000000000000000000,-0.00000000025,0,7\n',
    )
  })

  it('of more than 15 digits are told as damaged by Excel', async () => {
    const rows =
      row(number('4006381333931')) +
      row(number('1234567890123450'), number('9.7800000000000006E17'))
    const { csv, problems } = await readSheet(await workbookOf({ rows }))
    expect(csv).toBe('4006381333931\n1234567890123450,978000000000000000\n')
    expect(problems).toEqual([
      { line: 2, count: 2, message: expect.stringContaining('more than 15 digits') },
    ])
  })

  it('are dates by the format of their cell, of both epochs', async () => {
    const rows = row(number(45000, 1), number(45000.75, 1), number(45000, 0), number(0.5, 2))
    expect(await csvOf({ rows, formats: [0, 14, 'hh:mm'] })).toBe(
      '2023-03-15,2023-03-15T18:00:00,45000,12:00:00\n',
    )
    const workbook = '<workbookPr date1904="1"/>'
    expect(await csvOf({ rows, formats: [0, 14, 'hh:mm'], workbook })).toBe(
      '2027-03-16,2027-03-16T18:00:00,45000,12:00:00\n',
    )
  })

  it('may be dates as ISO 8601 themselves', async () => {
    const rows = row(
      typed('d', '2026-11-25T00:00:00'),
      typed('d', '2026-11-25T08:30:00.500Z'),
      typed('d', '2026-11-25'),
    )
    expect(await csvOf({ rows })).toBe('2026-11-25,2026-11-25T08:30:00.5,2026-11-25\n')
  })

  it('have the leading zeros of their format', async () => {
    const rows = row(number(417, 1), number(123456789, 2), number(1.5, 1), number(12, 3))
    expect(await csvOf({ rows, formats: [0, '0000000', '00000-0000', '0" pcs"'] })).toBe(
      '0000417,12345-6789,1.5,12\n',
    )
  })

  it('are those of the first of merged cells', async () => {
    const rows = row(text('Shoes'), '<c/>', number(1)) + row('<c/>', '<c/>', number(2))
    const after = '<mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells>'
    expect(await csvOf({ rows, after })).toBe('Shoes,,1\n,,2\n')
  })
})

describe('what is hidden', () => {
  it('is read and told: rows, columns and what a filter leaves out', async () => {
    const parts = {
      before: '<cols><col min="1" max="1"/><col min="2" max="16384" hidden="1"/></cols>',
      rows: `${row(number(1), number(2), number(3))}<row hidden="1"><c><v>4</v></c><c><v>5</v></c></row><row hidden="1"/>`,
      after:
        '<autoFilter ref="A1:C2"><filterColumn colId="0"/><filterColumn colId="1"/></autoFilter>',
    }
    const { csv, problems } = await readSheet(await workbookOf(parts))
    expect(csv).toBe('1,2,3\n4,5\n')
    expect(problems).toEqual([
      { line: null, count: 2, message: 'Hidden columns of the sheet were read too' },
      { line: 2, count: 1, message: 'Hidden rows of the sheet were read too' },
      { line: null, count: 1, message: expect.stringContaining('has a filter') },
    ])
  })

  it('is not told of a filter that leaves nothing out', async () => {
    expect(await problemsOf({ rows: row(number(1)), after: '<autoFilter ref="A1:C2"/>' })).toEqual(
      [],
    )
  })
})

describe('the sheets of a workbook', () => {
  const parts = (files: Record<string, string>) => ({ sheets: {}, parts: files })
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/${type}" Target="${target}"/>`

  it('are listed with their names and the size that they declare', async () => {
    const { sheets } = await workbookOf({
      sheets: {
        'Stock &amp; prices': worksheet('', '<dimension ref="A1:F1205"/>'),
        Notes: worksheet('', '<dimension ref="B3:C4"/>'),
        Unknown: worksheet('', '<dimension ref="A1"/>'),
        Other: worksheet(''),
      },
    })
    expect(sheets).toEqual([
      { name: 'Stock & prices', isHidden: false, rows: 1_205, columns: 6 },
      { name: 'Notes', isHidden: false, rows: 2, columns: 2 },
      { name: 'Unknown', isHidden: false, rows: null, columns: null },
      { name: 'Other', isHidden: false, rows: null, columns: null },
    ])
  })

  it('are found by relationships, with any prefixes, paths and cases, in both editions of the standard', async () => {
    const workbook = await workbookOf(
      parts({
        '_rels/.rels': `<a:Relationships xmlns:a="x">${relation('main', 'officeDocument', '/Office/Book.xml').replace('<R', '<a:R')}</a:Relationships>`,
        'office/book.xml':
          '<m:workbook xmlns:m="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:q="x"><m:sheets><m:sheet name="A" sheetId="1" q:id="s1"/><m:sheet name="B" sheetId="2" state="veryHidden" q:id="s2"/></m:sheets></m:workbook>',
        'office/_rels/book.xml.rels': `<Relationships>${relation('s1', 'worksheet', '../data/a%20b.xml')}${relation('s2', 'worksheet', '/data/B.xml')}${relation('t', 'sharedStrings', '.\\t.xml')}</Relationships>`,
        'data/a b.xml': `<m:worksheet xmlns:m="m"><m:sheetData><m:row><m:c t="s"><m:v>0</m:v></m:c></m:row></m:sheetData></m:worksheet>`,
        'data/b.xml': worksheet(row(number(2))),
        'office/T.xml': '<p:sst xmlns:p="m"><p:si><p:t>one</p:t></p:si></p:sst>',
      }),
    )
    expect(workbook.sheets.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['A', false],
      ['B', true],
    ])
    expect((await readSheet(workbook, 0)).csv).toBe('one\n')
    expect((await readSheet(workbook, 1)).csv).toBe('2\n')
  })

  it('are found by the types of the parts when no relationship names the workbook', async () => {
    const bytes = xlsx({ rows: row(number(1)), parts: { '_rels/.rels': '<Relationships/>' } })
    const workbook = await openXlsx(await archiveOf(bytes), {
      maxBytes: 1_000,
      openScratch: openMemoryScratch,
    })
    expect((await readSheet(workbook)).csv).toBe('1\n')
  })

  it('are no charts', async () => {
    const { sheets } = await workbookOf({
      sheets: { Stock: worksheet(''), Chart: '<chartsheet/>' },
      parts: {
        'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'chartsheet', 'worksheets/sheet2.xml')}</Relationships>`,
      },
    })
    expect(sheets.map(({ name }) => name)).toEqual(['Stock'])
  })
})
