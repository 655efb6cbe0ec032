import { Readable } from 'node:stream'

import { parse } from 'csv-parse/sync'
import csvParser from 'csv-parser'
import Papa from 'papaparse'
import { inferSchema, initParser } from 'udsv'
import { describe, expect, it } from 'vitest'

import { type Random, createRandom } from '../testing/fixtures/file-fixtures'
import { ingest } from '../testing/stages/ingesting'

/** Reads a whole CSV file, its header included, with nothing told of it but that it has commas. */
type CsvReader = (file: string) => string[][] | Promise<string[][]>

/** Readers of others, each of which finds the line ends of a file by a rule of its own. */
const CSV_READERS: Record<string, CsvReader> = {
  papaparse: (file) => {
    const { data, errors } = Papa.parse<string[]>(file, { delimiter: ',' })
    if (errors.length > 0) throw new Error(JSON.stringify(errors[0]))
    // It takes a line end at the end of the file for the beginning of a row.
    return /[\r\n]$/.test(file) ? data.slice(0, -1) : data
  },
  'csv-parse': (file) => parse(file),
  udsv: (file) => initParser(inferSchema(file, { header: () => [], col: ',' })).stringArrs(file),
  async 'csv-parser'(file) {
    const rows: string[][] = []
    for await (const row of Readable.from([Buffer.from(file)]).pipe(
      csvParser({ headers: false }),
    )) {
      rows.push(Object.values(row as Record<string, string>))
    }
    return rows
  },
}

/** The readers for a table: udsv takes a quoted row of one cell for a blank line. */
const readersOf = ({ length }: string[]) =>
  Object.entries(CSV_READERS).filter(([name]) => length > 1 || name !== 'udsv')

/** Expects all readers to find these rows in a published file. */
async function expectFor(file: string, rows: string[][], source = file): Promise<void> {
  const readers = readersOf(rows[0] ?? [])
  const read = readers.map(async ([name, reader]) => [name, await reader(file)])
  const expected = readers.map(([name]) => [name, rows])
  expect({ source, read: await Promise.all(read) }).toEqual({ source, read: expected })
}

describe('a file with several line ends', () => {
  const rows = [
    ['sku', 'qty'],
    ['A', '1'],
    ['B', '2'],
    ['C', '3'],
    ['D', '4'],
  ]
  const lines = rows.map((row) => row.join(','))
  const canonical = `${lines.join('\r\n')}\r\n`

  const mixed: [string, string[]][] = [
    ['LF, then CRLF', ['\n', '\r\n', '\n', '\n', '\n']],
    ['CRLF, then LF', ['\r\n', '\n', '\r\n', '\r\n', '\r\n']],
    ['LF below a header with CRLF', ['\r\n', '\n', '\n', '\n', '\n']],
    ['CRLF in the last line only', ['\n', '\n', '\n', '\n', '\r\n']],
    ['LF in the last line only', ['\r\n', '\r\n', '\r\n', '\r\n', '\n']],
    ['LF, and none at the end', ['\r\n', '\r\n', '\r\n', '\n', '']],
    ['CR beside LF', ['\n', '\r', '\n', '\n', '\n']],
    ['CR beside CRLF', ['\r\n', '\r\n', '\r\n', '\r\n', '\r']],
    ['LF and CR, each as a line end', ['\n', '\n\r', '\n', '\n', '\n']],
    ['a second CR', ['\r\n', '\r\r\n', '\r\n', '\r\n', '\r\n']],
  ]
  it.each(mixed)('is rewritten: %s', async (_name, ends) => {
    const source = lines.map((line, index) => line + ends[index]).join('')
    for (const chunkBytes of [1, 7, 65_536]) {
      const { text, report } = await ingest(source, null, chunkBytes)
      expect({ text, isRewritten: report.isRewritten }).toEqual({
        text: canonical,
        isRewritten: true,
      })
    }
    await expectFor(canonical, rows)
  })

  it('is rewritten when the other line end comes after 100,000 rows', async () => {
    const many = `sku,qty\n${'A,1\n'.repeat(100_000)}`
    const { text, report } = await ingest(`${many}B,2\r\n`)
    expect(report).toMatchObject({ isRewritten: true, rowCount: 100_001 })
    expect(text).toBe(`${many}B,2\n`.replaceAll('\n', '\r\n'))
  })

  it('is published byte for byte when the others are in quoted cells', async () => {
    for (const [end, other] of [
      ['\n', '\r\n'],
      ['\r\n', '\n'],
      ['\n', '\r'],
    ] as const) {
      const source = ['sku,text', `A,"one${other}two"`, 'B,three', ''].join(end)
      const { text, report } = await ingest(source)
      expect({ text, isRewritten: report.isRewritten }).toEqual({
        text: source,
        isRewritten: false,
      })
      const expected = [
        ['sku', 'text'],
        ['A', `one${other}two`],
        ['B', 'three'],
      ]
      await expectFor(text, expected)
    }
  })
})

const CELLS = [
  'Boot',
  'Dětské šaty, červené',
  'say "hello"',
  'two\nlines',
  'two\r\nlines',
  'old\rlines',
  '\n',
  '"',
  '""',
  ',',
  '=1+1',
  ' spaces ',
  '',
  '0012',
  "men's",
  'a;b|c~d\te',
]

/** A table and a way to write it: line ends, quotes, delimiter, blank lines. */
function createSource(random: Random): { source: string; rows: string[][] } {
  const delimiter = random.pick([',', ',', ',', ';', '\t', '|'])
  // Nothing shows the delimiter of a table of one column.
  const names = ['sku', 'name', 'category', 'qty'].slice(random.below(delimiter === ',' ? 4 : 3))
  const count = 1 + random.below(11)
  const rows = [names, ...Array.from({ length: count }, () => names.map(() => random.pick(CELLS)))]
  const ends = random.pick([['\n'], ['\r\n'], ['\r'], ['\n', '\r\n'], ['\n', '\r'], ['\r\n', '\r']])
  const eagerness = random.pick([0, 0.3, 1])
  const quote = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(delimiter) || random.next() < eagerness
      ? `"${cell.replaceAll('"', '""')}"`
      : cell
  const lines = rows.map((row) => {
    const line = row.map(quote).join(delimiter)
    const blank = random.next() < 0.05 ? random.pick(ends) : ''
    return (line === '' ? '""' : line) + random.pick(ends) + blank
  })
  const text = lines.join('')
  const source = random.next() < 0.3 ? text.replace(/(?:\r\n|\r|\n)+$/, '') : text
  return { source: random.pick(['', '', '\uFEFF']) + source, rows }
}

it('publishes files in which four other readers find the same cells', async () => {
  const random = createRandom(4_711)
  let untouched = 0
  for (let round = 0; round < 400; round++) {
    const { source, rows } = createSource(random)
    const { text, report } = await ingest(source, null, 1 + random.below(64))
    if (!report.isRewritten) untouched++
    await expectFor(text, rows, source)
  }
  expect(untouched).toBeGreaterThan(20)
})
