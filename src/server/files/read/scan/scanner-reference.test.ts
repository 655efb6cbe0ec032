import { parse } from 'csv-parse/sync'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'

import { type GrammarRecord, readByGrammar } from '../../../testing/fixtures/csv-grammar'
import { type Random, createRandom } from '../../../testing/fixtures/file-fixtures'
import { hostileFiles } from '../../../testing/suites/hostile/hostile-files'
import {
  QUOTINGS,
  type Quoting,
  type RecordBatch,
  type ScanOptions,
  cellCount,
  listCells,
} from './scan'
import { createScanner } from './scanner'

const DELIMITERS = [',', ';', '\t', '|', '~', '^', ':'] as const

type OnRecord = (record: GrammarRecord) => void

/** Everything that is told of a file, up to its error. */
function observe(
  read: (options: ScanOptions, onRecord: OnRecord) => void,
  options: ScanOptions,
  reportsBadQuotes: boolean,
) {
  const badLines: number[] = []
  const records: GrammarRecord[] = []
  const onBadQuotes = reportsBadQuotes ? (line: number) => badLines.push(line) : undefined
  let error: string | null = null
  try {
    read({ ...options, onBadQuotes }, (record) => records.push(record))
  } catch (reason) {
    error = String(reason)
  }
  return { badLines, records, error }
}

function describeRecord(batch: RecordBatch, record: number): GrammarRecord {
  const cells = Array.from({ length: cellCount(batch, record) }, (_, column) => {
    const cell = (batch.firstCells[record] ?? 0) + column
    const text = batch.bytes.toString('latin1', batch.cellStarts[cell], batch.cellEnds[cell])
    return `${batch.cellKinds[cell]}${text}`
  })
  const length = (batch.ends[record] ?? 0) - (batch.starts[record] ?? 0)
  return { line: batch.lines[record] ?? 0, length, cells }
}

function scanChunks(
  chunks: readonly Buffer[],
  options: ScanOptions,
  onBatch: (batch: RecordBatch) => void,
): void {
  const scanner = createScanner(options)
  for (const chunk of chunks) onBatch(scanner.push(chunk))
  onBatch(scanner.end())
}

/** What the scanner and the grammar tell, together with what they were given. */
function readBoth(options: ScanOptions, chunks: readonly Buffer[], reportsBadQuotes = false) {
  const scan = (given: ScanOptions, onRecord: OnRecord) =>
    scanChunks(chunks, given, (batch) => {
      for (let record = 0; record < batch.count; record++) onRecord(describeRecord(batch, record))
    })
  const text = Buffer.concat(chunks).toString('latin1')
  const ours = observe(scan, options, reportsBadQuotes)
  const grammar = observe((given, on) => readByGrammar(text, given, on), options, reportsBadQuotes)
  // The scanner has not returned the records of the chunk with the error.
  if (ours.error !== null) grammar.records.splice(ours.records.length)
  const [scanned, expected] = [ours, grammar].map(({ badLines, records, error }) => ({
    options,
    chunks,
    badLines,
    records: badLines.length === 0 ? records : records.map(countCells),
    error,
  }))
  return { scanned, expected }
}

const countCells = ({ line, length, cells }: GrammarRecord) => ({
  line,
  length,
  cells: cells.length,
})

/** The bytes in chunks of these sizes, some of them empty. */
function cut(bytes: Buffer, sizes: () => number): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; at < bytes.length;) {
    const size = sizes()
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

/** Rows as programs write them, with a few faults. */
function randomRows(random: Random, delimiter: string, quote: string): string {
  const lineEnd = random.pick(['\n', '\r\n', '\r'])
  const width = 1 + random.below(5)
  const faults = random.pick([0, 0, 1])
  const cell = () => {
    const plain = 'Bolt é 日本 12,5 x'.slice(random.below(8), 8 + random.below(11))
    if (random.below(3) > 0) return plain.replaceAll(delimiter, '')
    const inner = random.pick([plain, `5${quote}${quote} ${plain}`, `a${lineEnd}b`, '', '\\'])
    const fault = faults > 0 && random.below(6) === 0 ? random.pick([quote, ' ', '\\', 'x']) : ''
    return `${fault}${quote}${inner}${quote}`
  }
  return Array.from({ length: random.below(12) }, () => {
    if (random.below(10) === 0) return lineEnd
    const cells = Array.from({ length: random.below(9) === 0 ? 1 : width }, cell)
    return cells.join(delimiter) + (random.below(20) === 0 ? random.pick(['\n', '\r']) : lineEnd)
  }).join('')
}

describe('the scanner and the grammar', () => {
  it('agree on random characters in every dialect, wherever chunks end', () => {
    const random = createRandom(7)
    for (let round = 0; round < 4_000; round++) {
      const delimiter = random.pick(DELIMITERS)
      const quoting = random.pick(QUOTINGS)
      const pieces = ['a', 'é', ' ', delimiter, delimiter, '\n', '\r\n', '\r', '"', '""', "'", '\\']
      const text = Array.from({ length: random.below(60) }, () => random.pick(pieces)).join('')
      const chunks = cut(Buffer.from(text), () => random.below(20))
      const { scanned, expected } = readBoth({ delimiter, quoting }, chunks, random.below(2) === 0)
      expect(scanned).toEqual(expected)
    }
  })

  it('agree on random tables with quotes, ragged rows and blank lines', () => {
    const random = createRandom(8)
    for (let round = 0; round < 2_000; round++) {
      const delimiter = random.pick(DELIMITERS)
      const quoting = random.pick(QUOTINGS)
      const text = randomRows(random, delimiter, random.pick(['"', '"', "'"]))
      const chunks = cut(Buffer.from(text), () => 1 + random.below(200))
      const { scanned, expected } = readBoth(
        { delimiter, quoting, firstLine: 3 },
        chunks,
        random.below(4) === 0,
      )
      expect(scanned).toEqual(expected)
    }
  })

  it('agree on every place where a chunk can end', () => {
    const random = createRandom(9)
    for (let round = 0; round < 60; round++) {
      const delimiter = random.pick(DELIMITERS)
      const quoting = QUOTINGS[round % QUOTINGS.length] ?? 'strict'
      const bytes = Buffer.from(randomRows(random, delimiter, '"').slice(0, 200))
      for (let at = 1; at < bytes.length; at++) {
        const { scanned, expected } = readBoth({ delimiter, quoting }, [
          bytes.subarray(0, at),
          bytes.subarray(at),
        ])
        expect(scanned).toEqual(expected)
      }
    }
  })

  it('agree on records longer than a chunk', () => {
    const random = createRandom(10)
    for (const quoting of QUOTINGS) {
      const rows = Array.from({ length: 16 }, () => {
        const text = 'lorem, "ipsum"\r\n'.repeat(random.below(6_000))
        return random.below(2) === 0 ? 'a,b' : `"${text.replaceAll('"', '""')}",${random.below(9)}`
      })
      const chunks = cut(Buffer.from(rows.join('\r\n')), () => 1 + random.below(64 * 1024))
      const { scanned, expected } = readBoth({ delimiter: ',', quoting }, chunks)
      expect(scanned).toEqual(expected)
    }
  })

  it.each(hostileFiles)('agree on a hostile file: $name', ({ bytes }) => {
    const chunks = cut(bytes(5_000), () => 1_001)
    for (const quoting of QUOTINGS) {
      const { scanned, expected } = readBoth({ delimiter: ',', quoting }, chunks)
      expect(scanned).toEqual(expected)
    }
  })
})

type Parser = (text: string, options: ScanOptions, lineEnd: string) => string[][]

const parseStrictly: Parser = (text, { delimiter, quoting }) =>
  parse(text, {
    delimiter,
    quote: quoting === 'none' ? null : '"',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
  })

const QUOTE_CHARACTERS: Partial<Record<Quoting, string>> = { none: '\0', single: "'" }

/** It takes a quote in the middle of a cell for a character. */
const parseLeniently: Parser = (text, { delimiter, quoting }, lineEnd) => {
  const quoteChar = QUOTE_CHARACTERS[quoting] ?? '"'
  const { data, errors } = Papa.parse<string[]>(text, {
    delimiter,
    quoteChar,
    newline: lineEnd as '\n',
  })
  if (errors.length > 0) throw new Error(JSON.stringify(errors[0]))
  // It takes a line end at the end of the file for the beginning of a row.
  return text.endsWith(lineEnd) ? data.slice(0, -1) : data
}

describe('the scanner and parsers of others', () => {
  const cases: [string, ScanOptions['quoting'], Parser][] = [
    ['csv-parse', 'strict', parseStrictly],
    ['csv-parse', 'none', parseStrictly],
    ['papaparse', 'relaxed', parseLeniently],
    ['papaparse', 'none', parseLeniently],
    ['papaparse', 'single', parseLeniently],
  ]
  it.each(cases)('agree: %s, %s', (_name, quoting, parser) => {
    const random = createRandom(20_240)
    for (let round = 0; round < 2_000; round++) {
      const delimiter = random.pick(DELIMITERS)
      const lineEnd = random.pick(['\n', '\r\n', '\r'])
      const pieces = ['a', 'é', delimiter, ',', lineEnd, '"', '""', "'", "''", '日', '5', '=']
      // Others take it for a line end as well, or do not.
      if (parser === parseStrictly) pieces.push('\n', '\r\n', '\r', ' ')
      const text = Array.from({ length: random.below(24) }, () => random.pick(pieces)).join('')
      const options = { delimiter, quoting }
      const ours = attempt(() => scanTexts(text, options, 1 + random.below(7)))
      const theirs = attempt(() => parser(text, options, lineEnd))
      expect({ text, options, read: ours }).toEqual({ text, options, read: theirs })
    }
  })
})

function scanTexts(text: string, options: ScanOptions, chunkBytes: number): string[][] {
  const rows: string[][] = []
  scanChunks(
    cut(Buffer.from(text), () => chunkBytes),
    options,
    (batch) => {
      for (let record = 0; record < batch.count; record++) rows.push(listCells(batch, record))
    },
  )
  return rows
}

function attempt(read: () => string[][]): string[][] | 'refused' {
  try {
    return read()
  } catch {
    return 'refused'
  }
}
