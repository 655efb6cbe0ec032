import type { Dialect } from '../../../shared/schemas/file'
import { detectHeader } from './header'
import { type Quoting, type RecordBatch, cellCount, cellStart, isBlankLine } from './scan'
import { createScanner } from './scanner'

export interface DetectedDialect {
  delimiter: Dialect['delimiter']
  hasHeader: boolean
  /** The length of a first line `sep=;` in the decoded text, with its line end; else 0. */
  skipBytes: number
  /** 1 with such a line, else 0. */
  skipLines: number
}

/** On a tie the earlier one wins. */
const DELIMITERS: readonly Dialect['delimiter'][] = [',', ';', '\t', '|', '~']
const QUOTINGS: readonly Quoting[] = ['strict', 'relaxed', 'none']
const MAX_SAMPLE_ROWS = 200
/** Of each cell; enough to recognise names and numbers. */
const MAX_SAMPLE_CHARACTERS = 200
/** Small pieces take little memory, and most samples are complete after one or two. */
const SAMPLE_PIECE_BYTES = 8 * 1024

/**
 * Detects the delimiter and whether there is a header.
 * @param head the first bytes in UTF-8, without a byte order mark
 * @param isWhole whether `head` is the whole file; if not, its last record is ignored
 */
export function detectDialect(head: Buffer, isWhole: boolean): DetectedDialect {
  const hint = /^sep=(.)(?:\r\n|\n|\r|$)/i.exec(head.toString('latin1', 0, 8))
  const skipBytes = hint?.[0].length ?? 0
  const table = head.subarray(skipBytes)
  const hinted = DELIMITERS.find((delimiter) => delimiter === hint?.[1])
  const candidates = hinted === undefined ? DELIMITERS : [hinted]
  let best = sampleTable(table, candidates[0] ?? ',', isWhole)
  for (const delimiter of candidates.slice(1)) {
    const sample = sampleTable(table, delimiter, isWhole)
    if (sample.score > best.score) best = sample
  }
  return {
    delimiter: best.delimiter,
    hasHeader: detectHeader(best.rows),
    skipBytes,
    skipLines: skipBytes > 0 ? 1 : 0,
  }
}

interface Sample {
  delimiter: Dialect['delimiter']
  rows: string[][]
  score: number
}

/** Reads the first rows with the strictest quoting mode that succeeds. */
function sampleTable(table: Buffer, delimiter: Dialect['delimiter'], isWhole: boolean): Sample {
  let rows: string[][] = []
  for (const quoting of QUOTINGS) {
    const sample = readSample(table, { delimiter, quoting }, isWhole)
    rows = sample.rows
    // Without rows, an unclosed quote has swallowed the sample: the next mode is tried.
    if (!sample.hasFailed && rows.length > 0) break
  }
  return { delimiter, rows, score: scoreRows(rows) }
}

function readSample(
  table: Buffer,
  options: { delimiter: Dialect['delimiter']; quoting: Quoting },
  isWhole: boolean,
): { rows: string[][]; hasFailed: boolean } {
  const rows: string[][] = []
  try {
    const scanner = createScanner(options)
    for (let at = 0; at < table.length && rows.length < MAX_SAMPLE_ROWS; at += SAMPLE_PIECE_BYTES) {
      collectRows(scanner.push(table.subarray(at, at + SAMPLE_PIECE_BYTES)), rows)
    }
    if (isWhole && rows.length < MAX_SAMPLE_ROWS) collectRows(scanner.end(), rows)
    return { rows, hasFailed: false }
  } catch {
    // Not necessarily an error of the file: this guess at its dialect may be wrong.
    return { rows, hasFailed: true }
  }
}

function collectRows(batch: RecordBatch, rows: string[][]): void {
  for (let record = 0; record < batch.count && rows.length < MAX_SAMPLE_ROWS; record++) {
    if (isBlankLine(batch, record)) continue
    rows.push(
      Array.from({ length: cellCount(batch, record) }, (_, column) =>
        cellStart(batch, record, column, MAX_SAMPLE_CHARACTERS),
      ),
    )
  }
}

/**
 * Scores how well the widths of the rows agree with that of the first; 0 if that has one cell. Of
 * equal agreement the wider table wins, because a character that is not the delimiter does not split
 * every row alike.
 */
function scoreRows(rows: string[][]): number {
  const width = rows[0]?.length ?? 0
  if (width < 2) return 0
  let agreement = 0
  for (const row of rows) {
    if (row.length === width) agreement += 1
    else if (row.length > width) agreement += row.slice(width).every(isEmpty) ? 0.7 : -0.5
    else if (row.length > 1) agreement += 0.3
  }
  return Math.max(0.01, agreement / rows.length) * (1 + Math.log2(width) / 20)
}

function isEmpty(cell: string): boolean {
  return cell.trim() === ''
}
