import { describe, expect, it } from 'vitest'

import { type Random, createRandom } from '../../../testing/fixtures/file-fixtures'
import { createPlainScanner } from '../../../testing/fixtures/plain-scanner'
import { hostileFiles } from '../../../testing/suites/hostile/hostile-files'
import { QUOTINGS, type RecordBatch, type ScanOptions, type Scanner, cellCount } from './scan'
import { createScanner } from './scanner'

const DELIMITERS = [',', ';', '\t', '|', '~', '^', ':'] as const

/** Everything that a scanner tells of a file, chunk by chunk, up to its error. */
function observe(
  create: (options: ScanOptions) => Scanner,
  options: ScanOptions,
  chunks: readonly Buffer[],
  reportsBadQuotes: boolean,
): unknown[] {
  const seen: unknown[] = []
  const onBadQuotes = reportsBadQuotes ? (line: number) => seen.push(`quotes ${line}`) : undefined
  const scanner = create({ ...options, onBadQuotes })
  try {
    for (const chunk of chunks) seen.push(describeBatch(scanner.push(chunk)))
    seen.push(describeBatch(scanner.end()))
  } catch (error) {
    seen.push(String(error))
  }
  return seen
}

function describeBatch(batch: RecordBatch) {
  return Array.from({ length: batch.count }, (_, record) => ({
    line: batch.lines[record],
    raw: batch.bytes.toString('latin1', batch.starts[record], batch.ends[record]),
    cells: Array.from({ length: cellCount(batch, record) }, (__, column) => {
      const cell = (batch.firstCells[record] ?? 0) + column
      const text = batch.bytes.toString('latin1', batch.cellStarts[cell], batch.cellEnds[cell])
      return `${batch.cellKinds[cell]}${text}`
    }),
  }))
}

/** What both scanners tell, together with what they were given. */
function observeBoth(options: ScanOptions, chunks: readonly Buffer[], reportsBadQuotes = false) {
  const [ours, plain] = [createScanner, createPlainScanner].map((create) => ({
    options,
    chunks,
    seen: observe(create, options, chunks, reportsBadQuotes),
  }))
  return { ours, plain }
}

/** The bytes in two chunks, or in many of random sizes, some of them empty. */
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

describe('the scanner and the plain one', () => {
  it('agree on random characters in every dialect, wherever chunks end', () => {
    const random = createRandom(7)
    for (let round = 0; round < 2_000; round++) {
      const delimiter = random.pick(DELIMITERS)
      const quoting = random.pick(QUOTINGS)
      const pieces = ['a', 'é', ' ', delimiter, delimiter, '\n', '\r\n', '\r', '"', '""', "'", '\\']
      const text = Array.from({ length: random.below(60) }, () => random.pick(pieces)).join('')
      const chunks = cut(Buffer.from(text), () => random.below(20))
      const { ours, plain } = observeBoth({ delimiter, quoting }, chunks, random.below(2) === 0)
      expect(ours).toEqual(plain)
    }
  })

  it('agree on random tables with quotes, ragged rows and blank lines', () => {
    const random = createRandom(8)
    for (let round = 0; round < 2_000; round++) {
      const delimiter = random.pick(DELIMITERS)
      const quoting = random.pick(QUOTINGS)
      const text = randomRows(random, delimiter, random.pick(['"', '"', "'"]))
      const chunks = cut(Buffer.from(text), () => 1 + random.below(200))
      const { ours, plain } = observeBoth(
        { delimiter, quoting, firstLine: 3 },
        chunks,
        random.below(4) === 0,
      )
      expect(ours).toEqual(plain)
    }
  })

  it('agree on every place where a chunk can end', () => {
    const random = createRandom(9)
    for (let round = 0; round < 60; round++) {
      const delimiter = random.pick(DELIMITERS)
      const quoting = QUOTINGS[round % QUOTINGS.length] ?? 'strict'
      const bytes = Buffer.from(randomRows(random, delimiter, '"').slice(0, 200))
      for (let at = 1; at < bytes.length; at++) {
        const chunks = [bytes.subarray(0, at), bytes.subarray(at)]
        const { ours, plain } = observeBoth({ delimiter, quoting }, chunks)
        expect(ours).toEqual(plain)
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
      const bytes = Buffer.from(rows.join('\r\n'))
      const chunks = cut(bytes, () => 1 + random.below(64 * 1024))
      const { ours, plain } = observeBoth({ delimiter: ',', quoting }, chunks)
      expect(ours).toEqual(plain)
    }
  })

  it.each(hostileFiles)('agree on a hostile file: $name', ({ bytes }) => {
    for (const quoting of QUOTINGS) {
      const chunks = cut(bytes(5_000), () => 1_001)
      const { ours, plain } = observeBoth({ delimiter: ',', quoting }, chunks)
      expect(ours).toEqual(plain)
    }
  })

  it('agree that a record can be too long, and a row too wide', () => {
    for (const text of ['x'.repeat(5_000_000), `"${'x\n'.repeat(2_500_000)}`, ','.repeat(2_000)]) {
      const chunks = cut(Buffer.from(text), () => 64 * 1024)
      const { ours, plain } = observeBoth({ delimiter: ',', quoting: 'strict' }, chunks)
      expect(ours).toEqual(plain)
    }
  })
})
