import { describe, expect, it } from 'vitest'

import { readSheet, workbookOf, worksheet } from '../../testing/fixtures/workbooks'

type Parts = Parameters<typeof workbookOf>[0]

const MB = 1024 * 1024
const read = async (parts: Parts, maxBytes?: number) => readSheet(await workbookOf(parts, maxBytes))
const refused = (code: string, message = '') =>
  expect.objectContaining({ name: 'FileError', code, message: expect.stringContaining(message) })

describe('a workbook is refused', () => {
  const cellAt = (...references: string[]) =>
    `<row r="1">${references.map((r) => `<c r="${r}"><v>1</v></c>`).join('')}</row>`
  const damaged: [name: string, parts: Parts][] = [
    ['a column beyond XFD', { rows: cellAt('XFE1') }],
    ['a column of many letters', { rows: cellAt('AAAAAAAAAAAA1') }],
    ['a row beyond 1,048,576', { rows: '<row r="1048577"><c><v>1</v></c></row>' }],
    ['a row that is no number', { rows: '<row r="x"/>' }],
    ['row 0', { rows: '<row r="0"/>' }],
    ['a reference without a row', { rows: cellAt('A') }],
    ['a reference without a column', { rows: cellAt('1') }],
    ['cells in descending order', { rows: cellAt('B1', 'A1') }],
    ['a cell twice', { rows: cellAt('A1', 'A1') }],
    ['rows in descending order', { rows: '<row r="2"/><row r="1"/>' }],
    ['a cell of another row', { rows: cellAt('A2') }],
    [
      'a text that does not exist',
      { texts: '<si><t>a</t></si>', rows: '<row><c t="s"><v>1</v></c></row>' },
    ],
    ['texts without a part for them', { rows: '<row><c t="s"><v>0</v></c></row>' }],
    ['a text with a negative number', { texts: '', rows: '<row><c t="s"><v>-1</v></c></row>' }],
    ['tags that are not closed', { rows: '<row><c>' }],
    ['an entity that it does not define', { rows: '<row><c><v>&a;</v></c></row>' }],
    ['a character that XML does not allow', { rows: '<row><c><v>&#0;</v></c></row>' }],
    ['nested elements', { rows: '<x>'.repeat(300) }],
    [
      'an element with thousands of attributes',
      { rows: `<row ${Array.from({ length: 2_000 }, (_, index) => `a${index}=""`).join(' ')}/>` },
    ],
    ['a text without end', { rows: `<row><c><v>${'1'.repeat(2 * MB)}` }],
    ['a tag without end', { rows: `<row ${' '.repeat(2 * MB)}` }],
    ['a comment without end', { rows: `<!--${'x'.repeat(2 * MB)}` }],
    ['a name without end', { rows: `<${'x'.repeat(2 * MB)}` }],
    ['an entity without end', { rows: `<row>&${'x'.repeat(2 * MB)}` }],
    ['no sheets', { parts: { 'xl/worksheets/sheet1.xml': '' } }],
    [
      'two sheets of one part',
      {
        workbook:
          '<sheets><sheet name="Stock" r:id="rId1"/><sheet name="Prices" r:id="rId1"/></sheets>',
        workbookEnd: '',
      },
    ],
    ['a number format that is too long', { formats: ['0'.repeat(2_000)] }],
    ['a missing sheet', { parts: { 'xl/_rels/workbook.xml.rels': '<Relationships/>' } }],
    [
      'a missing workbook',
      { parts: { '_rels/.rels': '<Relationships/>', '[Content_Types].xml': '<Types/>' } },
    ],
    [
      'bytes that are not UTF-8',
      {
        parts: {
          'xl/worksheets/sheet1.xml': Buffer.from('<worksheet>\u00e4</worksheet>', 'latin1'),
        },
      },
    ],
    [
      'an unknown encoding',
      {
        parts: {
          'xl/worksheets/sheet1.xml': '<?xml version="1.0" encoding="x-none"?><worksheet/>',
        },
      },
    ],
  ]
  it.each(damaged)('as damaged with %s', async (_name, parts) => {
    await expect(read(parts)).rejects.toEqual(refused('workbook-damaged', 'save it again'))
  })

  it('with a document type, whose entities could expand without end', async () => {
    const lol = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
    const parts = { 'xl/worksheets/sheet1.xml': `${lol}<worksheet><sheetData/></worksheet>` }
    await expect(read({ parts })).rejects.toEqual(refused('workbook-damaged', 'document type'))
  })

  const long = 'x'.repeat(32_768)
  it.each<[string, Parts]>([
    ['shared', { texts: `<si><t>${long}</t></si>`, rows: '<row><c t="s"><v>0</v></c></row>' }],
    ['inline', { rows: `<row><c t="inlineStr"><is><t>${long}</t></is></c></row>` }],
    [
      'in parts',
      {
        rows: `<row><c t="inlineStr"><is>${`<r><t>${long.slice(0, 9_000)}</t></r>`.repeat(4)}</is></c></row>`,
      },
    ],
    [
      'in parts without end',
      {
        texts: `<si>${`<r><t>${long.slice(0, 9_000)}</t></r>`.repeat(40)}`,
        rows: '<row><c t="s"><v>0</v></c></row>',
      },
    ],
    ['of a formula', { rows: `<row><c t="str"><v>${long}</v></c></row>` }],
    [
      'of many sections',
      { rows: `<row><c t="str"><v>${`<![CDATA[${long}]]>`.repeat(20)}</v></c></row>` },
    ],
  ])('with a text of more than 32,767 characters, %s', async (_name, parts) => {
    await expect(read(parts)).rejects.toEqual(refused('workbook-too-large', '32,767 characters'))
  })

  it('when 12,000 cells that share one text would be larger than the limit', async () => {
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(12_000)
    const parts = { texts: `<si><t>${'x'.repeat(32_767)}</t></si>`, rows }
    await expect(read(parts, 10 * MB)).rejects.toEqual(refused('workbook-too-large', '10 MB'))
  })

  it('when few cells at the end of many rows would be larger than the limit', async () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, index) => `<row><c r="XFD${index + 1}"><v>1</v></c></row>`,
    ).join('')
    await expect(read({ rows }, 10 * MB)).rejects.toEqual(refused('workbook-too-large', '10 MB'))
  })

  it.each([
    ['larger than the limit', `<si><t>${'x'.repeat(32_000)}</t></si>`.repeat(400), '10 MB of'],
    ['more than can be counted', '<si><t></t></si>'.repeat(4 * MB + 1), '4,194,304'],
  ])('with different texts that are %s', async (_name, items, what) => {
    const content = `<sst>${items}</sst>`
    const parts: Parts = {
      parts: { 'xl/sharedStrings.xml': { content, options: { method: 0 } } },
      texts: '',
      rows: '<row><c t="s"><v>9999999</v></c></row>',
    }
    await expect(read(parts, 10 * MB)).rejects.toEqual(
      refused('workbook-too-large', `more than ${what} different texts`),
    )
  })

  it('with too many sheets', async () => {
    const sheets = Array.from({ length: 1_001 }, (_, index) => [`S${index}`, worksheet('')])
    await expect(workbookOf({ sheets: Object.fromEntries(sheets) })).rejects.toEqual(
      refused('workbook-too-large', '1,000 sheets'),
    )
  })

  it('with too many styles', async () => {
    const parts = {
      'xl/styles.xml': {
        content: `<styleSheet><cellXfs>${'<xf numFmtId="14"/>'.repeat(200_001)}</cellXfs></styleSheet>`,
        options: { method: 0 as const },
      },
    }
    await expect(workbookOf({ formats: [], parts })).rejects.toEqual(
      refused('workbook-too-large', 'cell styles'),
    )
  })
})

describe('a workbook is read in time', () => {
  it('with thousands of ranges of columns, merged cells and attributes that are ignored', async () => {
    const parts: Parts = {
      before: `<cols>${'<col min="1" max="16384" hidden="1"/>'.repeat(20_000)}</cols>`,
      rows: '<row><c><v>1</v></c></row>',
      after: `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(20_000)}</mergeCells>`,
      parts: {},
    }
    const { csv, problems } = await read(parts)
    expect(csv).toBe('1\n')
    expect(problems).toMatchObject([{ count: 1 }])
  })

  it('with a million tiny texts', async () => {
    const items = Array.from({ length: 1_000_000 }, (_, index) => `<si><t>${index}</t></si>`)
    const { csv } = await read({
      texts: items.join(''),
      rows: '<row><c t="s"><v>999999</v></c><c t="s"><v>0</v></c><c t="s"><v>65536</v></c></row>',
    })
    expect(csv).toBe('999999,0,65536\n')
  })

  it('as far as is needed: the first rows do not need all texts', async () => {
    const workbook = await workbookOf({
      texts: `<si><t>a</t></si>${'<si><t>b</t></si>'.repeat(200_000)}<broken`,
      rows: '<row><c t="s"><v>0</v></c></row>',
    })
    expect((await readSheet(workbook)).csv).toBe('a\n')
  })
})
