import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'

import { AUTOMATIC_READING } from '../../shared/automatic-reading'
import { createRandom, inChunks } from '../testing/fixtures/file-fixtures'
import { ingest, refusalOf } from '../testing/stages/ingesting'
import { previewFile } from './preview'

const NOTE =
  'A backslash stands before delimiters in cells; it was left out, and the delimiter kept as text.'
const SOURCE = 'sku,name,qty\nA,Boot\\, brown,5\nB,Hat,0\n'

/** Writes a row as Python's csv module does with QUOTE_NONE and a backslash as the escape character. */
const toLine = (row: string[], delimiter: string) =>
  `${row.map((cell) => cell.replace(/[\\"\r\n]/g, '\\$&').replaceAll(delimiter, `\\${delimiter}`)).join(delimiter)}\n`

describe('a file with backslashes instead of quotes', () => {
  it('is read, and told with its first line', async () => {
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(SOURCE, null, chunkBytes)
      expect(text).toBe('sku,name,qty\r\nA,"Boot, brown",5\r\nB,Hat,0\r\n')
      expect(report.problems).toEqual([{ line: 2, count: 1, message: NOTE }])
      expect(report.dialect.isQuoted).toBe(false)
    }
  })

  it('gives the cells that were written, in every delimiter', async () => {
    const random = createRandom(31)
    const cells = [
      'Boot, brown',
      'a;b',
      'c\td',
      'x|y',
      '5" pipe',
      'C:\\temp',
      'two\nlines',
      '',
      'Hat',
    ]
    for (let round = 0; round < 150; round++) {
      const delimiter = random.pick([',', ';', '\t', '|'])
      const rows = Array.from({ length: 1 + random.below(8) }, (_, index) => [
        `${index}`,
        random.pick(cells),
        random.pick(cells),
        '5',
      ])
      const table = [['sku', 'name', 'text', 'qty'], ...rows, ['z', `a${delimiter}b`, '', '1']]
      const source = table.map((row) => toLine(row, delimiter)).join('')
      const { text } = await ingest(source, null, 1 + random.below(40))
      expect({ source, rows: parse(text) }).toEqual({ source, rows: table })
    }
  })

  it('is recognised when nearly all rows have more delimiters than the header', async () => {
    const { text } = await ingest('artikl,opis\n1,a\\, b\\, c\n2,d\\, e\\, f\n3,d\\, e\\, f\n')
    expect(text).toBe('artikl,opis\r\n1,"a, b, c"\r\n2,"d, e, f"\r\n3,"d, e, f"\r\n')
  })

  it('is previewed as it is read, and can be chosen', async () => {
    const preview = (quoting: 'none' | 'double' | null) =>
      previewFile(inChunks(Buffer.from(SOURCE)), 'none', {
        reading: { ...AUTOMATIC_READING, quoting },
      })
    for (const quoting of [null, 'none'] as const) {
      expect(await preview(quoting)).toMatchObject({
        rows: [
          ['A', 'Boot, brown', '5'],
          ['B', 'Hat', '0'],
        ],
        dialect: { isQuoted: false },
        problems: [{ message: NOTE }],
      })
    }
    expect((await preview(null)).found.quoting).toBe('none')
    await expect(preview('double')).rejects.toThrow('Line 2 has 4 cells')
  })

  it('does not make a refused file of another kind readable', async () => {
    expect(await refusalOf('sku,name,qty\nA,C:\\temp,x,5\nB,Hat,0\n')).toMatchObject({
      message: 'Line 2 has 4 cells, but the header has 3: “A,C:\\temp,x,5”.',
    })
    expect(await refusalOf('sku,name,qty\nA,a\\,b,5\nB,Hat\n')).toMatchObject({ line: 3 })
    expect(await refusalOf('sku,name,qty\nA,a\\,b,5\nB,"Hat, red",5\n')).toMatchObject({ line: 2 })
  })

  it('keeps backslashes where no delimiter is escaped', async () => {
    const source = 'sku,name\nA,C:\\temp\nB,D:\\\\x\n'
    expect((await ingest(source)).text).toBe(source)
  })
})
