import { describe, expect, it } from 'vitest'

import { inChunks } from '../testing/fixtures/file-fixtures'
import { ingest, refusalOf } from '../testing/stages/ingesting'
import { previewFile } from './preview'

const TABLE = 'sku,name,qty\r\nAB-1,Boot,5\r\nAB-2,Hat,0\r\n'
const RULES = 'Lines of dashes were left out.'
const COUNT = 'The line with the number of rows was left out.'

describe('lines of database clients that are no products', () => {
  const sources: [string, string, string[]][] = [
    [
      'sqlcmd -s,',
      'sku,name,qty\n----,----,---\nAB-1,Boot,5\nAB-2,Hat,0\n\n(2 rows affected)\n',
      [RULES, COUNT],
    ],
    ['sqlcmd with tabs', 'sku\tname\tqty\n----\t----\t-\nAB-1\tBoot\t5\nAB-2\tHat\t0\n', [RULES]],
    [
      'sqlcmd -s|',
      'sku|name|qty\n----|----|---\nAB-1|Boot|5\nAB-2|Hat|0\n(2 row(s) affected)',
      [RULES, COUNT],
    ],
    ['psql -A -F,', 'sku,name,qty\nAB-1,Boot,5\nAB-2,Hat,0\n(2 rows)\n', [COUNT]],
    [
      'SQL*Plus',
      'sku,name,qty\n----,----,---\nAB-1,Boot,5\nAB-2,Hat,0\n\n2 rows selected.\n',
      [RULES, COUNT],
    ],
    [
      'a rule on each page',
      'sku,name,qty\n====,====,===\nAB-1,Boot,5\n====,====,===\nAB-2,Hat,0\n',
      [RULES],
    ],
  ]
  it.each(sources)('are left out and told: %s', async (_name, source, notes) => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect({ text, rows: report.rowCount }).toEqual({ text: TABLE, rows: 2 })
      expect(report.problems.map(({ message }) => message)).toEqual(notes)
    }
    const { rowsRead, problems } = await previewFile(inChunks(Buffer.from(source)), 'none')
    expect({ rowsRead, notes: problems.map(({ message }) => message) }).toEqual({
      rowsRead: 2,
      notes,
    })
  })

  const aligned: [string, string][] = [
    ['sqlite3 -column', 'sku   name  qty\n----  ----  ---\nAB-1  Boot  5  \nAB-2  Hat   0  \n'],
    ['PowerShell', 'sku  name qty\n---  ---- ---\nAB-1 Boot   5\nAB-2 Hat    0\n'],
    ['sqlcmd', 'sku  name qty\n---- ---- ---\nAB-1 Boot   5\nAB-2 Hat    0\n\n(2 rows affected)\n'],
  ]
  it.each(aligned)('are left out where blanks separate the cells: %s', async (_name, source) => {
    const { text, report } = await ingest(source)
    expect(text).toBe(TABLE)
    expect(report.problems).toContainEqual({ line: 2, count: 1, message: RULES })
  })

  it('are left out of a table of a single row, and of a single column', async () => {
    const row = 'sku   name  qty\n----  ----  ---\nAB-1  Boot  5  \n'
    expect((await ingest(row)).text).toBe('sku,name,qty\r\nAB-1,Boot,5\r\n')
    expect((await ingest('sku\n-----\nAB-1\nAB-2\n(2 rows)\n')).text).toBe(
      'sku\r\nAB-1\r\nAB-2\r\n',
    )
  })

  it('do not hide a header from its detection', async () => {
    const { report } = await ingest('kód,počet\n---,-----\nAB-1,5\nAB-2,0\nAB-3,1\n')
    expect(report.columns).toEqual(['kód', 'počet'])
    expect(report.problems.map(({ message }) => message)).toEqual([RULES])
  })

  it('are not rows that look a little like them', async () => {
    const source = [
      'sku,name,qty',
      'AB-1,-----,---',
      '-,-,-',
      '---,Boot,5',
      '--- x,---,---',
      '"---","---","---"',
      'AB-3,(2 rows),5',
      'AB-4,x,(5 rows)',
      '5,rows,sold.',
      '',
    ].join('\n')
    const { text, report } = await ingest(source)
    expect(text).toBe(source)
    expect(report).toMatchObject({ isRewritten: false, rowCount: 8, problems: [] })
  })

  it('are refused where nobody can tell which cell is empty', async () => {
    const source = 'sku   name  qty\n----  ----  ---\nAB-1        5  \nAB-2  Hat   0  \n'
    expect(await refusalOf(source)).toMatchObject({
      code: 'not-csv-text',
      message:
        'Line 2 has dashes for several columns, but nothing separates their cells in the rows. ' +
        'Export the table as CSV.',
    })
  })
})

describe('a table drawn for people', () => {
  const border = '+------+------+-----+'
  const tables: [string, string, string][] = [
    [
      'psql',
      ' sku  | name | qty \n------+------+-----\n AB-1 | Boot |   5\n AB-2 | Hat  |   0\n(2 rows)\n\n',
      '------+------+-----',
    ],
    [
      'psql, as a list',
      '-[ RECORD 1 ]\nsku  | AB-1\nname | Boot\n-[ RECORD 2 ]\nsku  | AB-2\nname | Hat\n',
      '-[ RECORD 1 ]',
    ],
    [
      'Markdown',
      '| sku | name | qty |\n|-----|:----:|----:|\n| AB-1 | Boot | 5 |\n| AB-2 | Hat | 0 |\n',
      '|-----|:----:|----:|',
    ],
    ['Markdown below a title', '# Stock\n\n| sku | qty |\n| - | - |\n| AB-1 | 5 |\n', '| - | - |'],
    ['Org', '| sku | qty |\n|-----+-----|\n| AB-1 | 5 |\n', '|-----+-----|'],
    [
      'MySQL',
      `${border}\n| sku  | name | qty |\n${border}\n| AB-1 | Boot |   5 |\n${border}\n1 row in set (0.00 sec)\n`,
      border,
    ],
    [
      'MySQL, as a list',
      '*************************** 1. row ***************************\nsku: AB-1\nqty: 5\n',
      '*'.repeat(27) + ' 1.',
    ],
    [
      'a grid',
      '+------+-----+\n| sku  | qty |\n+======+=====+\n| AB-1 |   5 |\n+------+-----+\n',
      '+------+-----+',
    ],
    [
      'reStructuredText',
      '====  ===\nsku   qty\n====  ===\nAB-1  5\nAB-2  0\n====  ===\n',
      '====  ===',
    ],
    [
      'DuckDB',
      '┌──────┬─────┐\n│ sku  │ qty │\n├──────┼─────┤\n│ AB-1 │   5 │\n└──────┴─────┘\n',
      '┌──────┬─────┐',
    ],
  ]
  it.each(tables)('is refused with one of its lines: %s', async (_name, source, line) => {
    const message = `The file is a table drawn for people, with lines such as “${line}”, instead of a CSV file or a workbook.`
    for (const text of [source, source.replaceAll('\n', '\r\n')]) {
      expect(await refusalOf(text)).toMatchObject({ code: 'not-csv-text', message })
    }
    await expect(previewFile(inChunks(Buffer.from(source)), 'none')).rejects.toThrow(message)
  })

  it('is not a CSV file with such a table in a cell, or with a line below its title', async () => {
    const cell = 'sku,text,qty\nA,"| a | b |\n|---|---|\n| 1 | 2 |",5\nB,x,6\nC,y,7\n'
    expect((await ingest(cell)).text).toBe(cell)
    const { text } = await ingest(
      'Stock list\n==========\nsku,name,qty\nA,Boot,5\nB,Hat,6\nC,Cap,7\n',
    )
    expect(text).toBe('sku,name,qty\r\nA,Boot,5\r\nB,Hat,6\r\nC,Cap,7\r\n')
  })
})
