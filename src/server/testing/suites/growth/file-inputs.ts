import { DELIMITERS } from '../../../../shared/delimiters'
import { QUOTING_STYLES } from '../../../../shared/reading'
import { sourceReadingSchema, type SourceReading } from '../../../../shared/schemas/source-reading'
import { hostileFiles } from '../hostile/hostile-files'
import type { SentFile } from './sent-file'
import { tableInputs } from './table-inputs'
import { PIECES } from './texts'

type Inputs = Record<string, (size: number) => SentFile>

const AUTOMATIC = sourceReadingSchema.parse({})
const HEADER = 'sku,name,category,quantity'
const CELLS = 3

/** A table whose keys are numbers, so that any two of them have rows in common. */
function toTable(size: number, toCell: (row: number, column: number) => string): SentFile {
  const rows = [HEADER]
  for (let length = 0; length < size; length += rows.at(-1)?.length ?? 0) {
    const cells = Array.from({ length: CELLS }, (_, column) => toCell(rows.length, column))
    rows.push([rows.length, ...cells].join())
  }
  return { bytes: Buffer.from(`${rows.join('\n')}\n`), reading: AUTOMATIC }
}

const toRows = (name: string, category: string) => (size: number) =>
  toTable(
    size,
    (row, column) => [`${name} ${row}`, `${category} > ${row % 90}`, `${row % 100}`][column] ?? '',
  )

/** A file without anything special. */
export const ordinaryRows = toRows('Boots', 'Shoes')
/** A file in which the same items have changed. */
export const otherRows = toRows('Parka', 'Coats')

/** Cells of up to 200 characters, of which each repeats one of the pieces. */
const toCells = (pieces: readonly string[]) => (size: number) =>
  toTable(size, (row, column) => {
    const piece = pieces[(row + column) % pieces.length] ?? ''
    return `"${piece.repeat(1 + (row % (200 / piece.length))).replaceAll('"', '""')}"`
  })

/** One cell in which a spreadsheet could see a formula everywhere. */
const formulas = (size: number): SentFile => ({
  bytes: Buffer.from(`sku,name\n1,"${',=('.repeat(size / 3)}"\n`),
  reading: AUTOMATIC,
})

/** One of each way in which bytes become text. */
const ENCODINGS =
  'utf-16le windows-1252 cp850 shift_jis euc-jp iso-2022-jp iso-2022-kr gb18030 big5'.split(' ')
/** Bytes that are letters in most encodings. */
const LETTERS = Buffer.from(Array.from({ length: 94 }, (_, index) => 0xa1 + index))

function rowsOfLetters(size: number, encoding = ''): Buffer {
  const row = `1,${LETTERS.toString('latin1')}\n`
  const text = `a,b\n${row.repeat(size / row.length)}`
  return Buffer.from(text, encoding === 'utf-16le' ? 'utf16le' : 'latin1')
}

/** Decisions of the supplier that are not those of the detection. */
const READINGS: Partial<SourceReading>[] = [
  ...ENCODINGS.map((encoding) => ({ encoding })),
  ...DELIMITERS.map((delimiter) => ({ delimiter })),
  ...QUOTING_STYLES.map((quoting) => ({ quoting })),
  { hasHeader: false },
  { skipLines: 20 },
]

/** Files that are slow for a careless reader of sources. */
export const sourceInputs: Inputs = {
  'ordinary rows': ordinaryRows,
  'a cell of formulas': formulas,
  ...tableInputs,
  ...Object.fromEntries(
    hostileFiles.map(({ name, bytes }) => [
      name,
      (size: number) => ({ bytes: bytes(size), reading: AUTOMATIC }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(PIECES).map(([kind, pieces]) => [`cells of ${kind}`, toCells(pieces)]),
  ),
  ...Object.fromEntries(
    READINGS.map((reading) => [
      `read with ${JSON.stringify(reading)}`,
      (size: number) => ({
        bytes: rowsOfLetters(size, reading.encoding ?? undefined),
        reading: sourceReadingSchema.parse(reading),
      }),
    ]),
  ),
}

/** Of these, the tables that differ once they are stored. */
const STORED = [
  'ordinary rows',
  'a cell of formulas',
  'category lists forwards and backwards',
  'category cells at the maximum length',
  'distinct categories',
  'variants with long keys',
  'the maximum number of columns',
  'one cell of quotation marks',
  'quotation marks inside cells',
  'quantities of signs and spaces',
  'letters that become longer when case is folded',
  'cells of quotes',
  'cells of numbers',
  'cells of letters',
]

/** Files that are slow for a careless reader of stored files. */
export const storedInputs: Inputs = Object.fromEntries(
  STORED.map((name) => {
    const make = sourceInputs[name]
    if (!make) throw new Error(`There is no input ${name}`)
    return [name, make]
  }),
)
