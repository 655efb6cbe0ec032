import { isUtf8 } from 'node:buffer'
import { gzipSync } from 'node:zlib'

import { parse } from 'csv-parse/sync'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type Random,
  createMemoryDrafts,
  createRandom,
  inChunks,
  readAll,
} from '../testing/fixtures/file-fixtures'
import { type SourceServer, startSourceServer } from '../testing/servers/source-server'
import { decodeBody } from './fetch/decoded-body'
import { createFileFetcher } from './fetch/fetch'
import { FileError } from './file-error'
import { ingestFile } from './ingest'

const { signal } = new AbortController()

const ENCODINGS = ['utf-8', 'utf-8 with BOM', 'windows-1250', 'utf-16le', 'utf-16be'] as const
type SourceEncoding = (typeof ENCODINGS)[number]

interface Style {
  delimiter: string
  lineEnd: () => string
  encoding: SourceEncoding
  /** The probability that a cell is quoted although it need not be. */
  eagerQuotes: number
  hasFinalLineEnd: boolean
}

/** Writes a table as CSV, independently of the product's own writer. */
function write(rows: string[][], random: Random, how: Style): Buffer {
  const cells = (row: string[]) =>
    row.map((cell) =>
      cell.includes(how.delimiter) || /["\r\n]/.test(cell) || random.next() < how.eagerQuotes
        ? `"${cell.replaceAll('"', '""')}"`
        : cell,
    )
  const lines = rows.map((row) => {
    const line = cells(row).join(how.delimiter)
    return line === '' ? '""' : line
  })
  const ended = lines.map((line, index) => {
    const isLast = index === lines.length - 1
    return isLast && !how.hasFinalLineEnd ? line : line + how.lineEnd()
  })
  const text = ended.join('')
  if (how.encoding === 'utf-8 with BOM') return Buffer.from(`\uFEFF${text}`)
  return iconv.encode(text, how.encoding, { addBOM: how.encoding.startsWith('utf-16') })
}

async function ingestRows(source: Uint8Array, chunkBytes: number) {
  const { draft, report } = await ingestFile(inChunks(source, chunkBytes), {
    openDraft: createMemoryDrafts().open,
    compression: 'none',
    categoryReading: null,
    signal,
  })
  const bytes = await readAll(draft.read())
  return { bytes, report, rows: parseCanonical(bytes) }
}

const parseCanonical = (bytes: Buffer) =>
  parse(bytes, { record_delimiter: ['\r\n', '\n', '\r'], skip_empty_lines: true }) as string[][]

describe('one catalogue in many CSV dialects', () => {
  const CELLS = [
    'Žluťoučký kůň',
    'Dětské šaty, červené',
    'příliš "žlutý"',
    'více\r\nřádků',
    'a;b',
    'c\td',
    'e|f',
    '0012',
    '1.2E+11',
    '19,99',
    '=1+1',
    ' mezery ',
    '',
    'čtyři~pět',
    '-1',
    '""',
    'x\ny',
  ]
  const HEADER = ['sku', 'název', 'category', 'qty']

  it('gives the same cells in 400 random dialects', async () => {
    const random = createRandom(1_250)
    for (let round = 0; round < 400; round++) {
      // The first rows have every accented letter, so that the charset can be detected reliably.
      const rows = [
        HEADER,
        ['1', 'Příliš žluťoučký kůň úpěl ďábelské ódy', 'Dětské', '5'],
        ...Array.from({ length: random.below(30) }, () => HEADER.map(() => random.pick(CELLS))),
      ]
      const ends = random.pick([['\r\n'], ['\n'], ['\r'], ['\r\n', '\n'], ['\r\n', '\n', '\r']])
      const found = new Set<string>()
      const how: Style = {
        delimiter: random.pick([',', ';', '\t', '|', '~']),
        lineEnd() {
          const end = random.pick(ends)
          found.add(end)
          return end
        },
        encoding: random.pick(ENCODINGS),
        eagerQuotes: random.pick([0, 0.2, 1]),
        hasFinalLineEnd: random.next() < 0.5,
      }
      const source = write(rows, random, how)
      const result = await ingestRows(source, 1 + random.below(500))
      expect({ how, rows: result.rows }).toEqual({ how, rows })
      expect(result.report.rowCount).toBe(rows.length - 1)
      // Other readers take all line ends to be like the first one, and some a bare CR for text.
      const isUniform = found.size < 2 && !found.has('\r')
      const isCanonical = how.delimiter === ',' && how.encoding === 'utf-8' && isUniform
      expect({ how, isRewritten: result.report.isRewritten }).toEqual({
        how,
        isRewritten: !isCanonical,
      })
      expect(result.bytes.equals(source)).toBe(isCanonical)
    }
  })

  it('gives the same cells with random short rows, surplus empty cells and blank lines', async () => {
    const random = createRandom(99)
    for (let round = 0; round < 200; round++) {
      const width = 2 + random.below(4)
      const header = Array.from({ length: width }, (_, column) => `name${column}`)
      const expected: string[][] = [header]
      const lines = [header.join(';')]
      for (let row = random.below(20); row > 0; row--) {
        if (random.next() < 0.2) lines.push('')
        const cells = Array.from({ length: 2 + random.below(width - 1) }, () =>
          random.pick(['a', 'b c', '7']),
        )
        const surplus = cells.length === width && random.next() < 0.2 ? ';;' : ''
        lines.push(cells.join(';') + surplus)
        expected.push([...cells, ...Array.from({ length: width - cells.length }, () => '')])
      }
      const { rows } = await ingestRows(Buffer.from(`${lines.join('\n')}\n`), 1 + random.below(40))
      expect(rows).toEqual(expected)
    }
  })
})

describe('random bytes', () => {
  it('become a canonical file or are refused with a FileError', async () => {
    const random = createRandom(4_180)
    const texts = 'a,b1,7, ,;,|,\t,\n,\n,\r\n,\r,","",é'.split(',')
    const pieces = [...texts, ',', ','].map((text) => Buffer.from(text))
    const bytes = [...pieces, Buffer.of(0xe9), Buffer.of(0xb9), Buffer.of(0xff, 0xfe), Buffer.of(0)]
    let accepted = 0
    for (let round = 0; round < 1_500; round++) {
      const source = Buffer.concat([
        Buffer.from(random.pick(['', '', '\uFEFF', 'sep=;\n'])),
        ...Array.from({ length: random.below(40) }, () => random.pick(bytes)),
      ])
      const result = await ingestRows(source, 1 + random.below(20)).catch((error: unknown) => {
        if (error instanceof FileError) return undefined
        throw error
      })
      if (!result) continue
      accepted++
      // csv-parse, which refuses ragged rows and stray quotes, has already parsed the output.
      expect({
        source,
        rows: result.rows.length,
        isUtf8: isUtf8(result.bytes),
        hasBom: result.bytes.indexOf('\uFEFF') === 0,
      }).toEqual({ source, rows: result.report.rowCount + 1, isUtf8: true, hasBom: false })
    }
    expect(accepted).toBeGreaterThan(300)
  })
})

describe('from a server to a canonical file', () => {
  let server: SourceServer
  beforeAll(async () => {
    server = await startSourceServer()
  })
  afterAll(() => server.close())

  it('gives the same rows for seven ways to send one catalogue', async () => {
    const rows = [
      ['sku', 'název', 'cena'],
      ['001', 'Žárovka, teplá', '1,50'],
      ['002', 'Kuchyňský nůž 5"', '=2+2'],
      ['003', 'Dětské\nšaty', ''],
    ]
    const random = createRandom(3)
    const base: Style = {
      delimiter: ',',
      lineEnd: () => '\n',
      encoding: 'utf-8',
      eagerQuotes: 0,
      hasFinalLineEnd: true,
    }
    const plain = write(rows, random, base)
    server.set('/plain.csv', { body: plain })
    server.set('/1250.csv', {
      body: write(rows, random, { ...base, delimiter: ';', encoding: 'windows-1250' }),
    })
    server.set('/16.csv', {
      body: write(rows, random, { ...base, delimiter: '\t', encoding: 'utf-16le' }),
    })
    server.set('/pipe.csv', { body: write(rows, random, { ...base, delimiter: '|' }) })
    server.set('/bom.csv', { body: write(rows, random, { ...base, encoding: 'utf-8 with BOM' }) })
    server.set('/zip.csv.gz', { body: gzipSync(plain) })
    server.set('/encoded.csv', { body: plain, gzip: true })
    const fetcher = createFileFetcher({
      now: Date.now,
      allow: [server.host],
      maxBytes: 100_000,
    })
    for (const path of [
      '/plain.csv',
      '/1250.csv',
      '/16.csv',
      '/pipe.csv',
      '/bom.csv',
      '/zip.csv.gz',
      '/encoded.csv',
    ]) {
      const response = await fetcher.fetch({ url: server.url(path), signal })
      if (response.kind !== 'content') throw new Error('Content was expected')
      const { draft, report } = await ingestFile(decodeBody(response, 100_000), {
        openDraft: createMemoryDrafts().open,
        compression: response.compression,
        categoryReading: null,
        signal,
      })
      expect({ path, rows: parseCanonical(await readAll(draft.read())) }).toEqual({ path, rows })
      expect(report.dialect.compression).toBe(/gz|encoded/.test(path) ? 'gzip' : 'none')
    }
    await fetcher.close()
  })
})
