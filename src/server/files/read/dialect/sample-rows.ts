import {
  UNWRAPPED,
  type RecordBatch,
  type ScanOptions,
  cellCount,
  cellKind,
  cellStart,
  isBlankLine,
} from '../scan/scan'
import { createScanner } from '../scan/scanner'
import { findRule, isRowCount } from './drawn-lines'

/** The first rows of a file, as one guess at its dialect splits them. */
export interface SampleRows {
  /** With shortened cells. */
  rows: string[][]
  /** The line of each row, from 1 on. */
  lines: number[]
  /** For each column: how many cells single quotes enclose. */
  unwrapped: number[]
  /** How many lines of dashes are among the rows; they are not listed. */
  rules: number
  /** Whether one of them has dashes for several columns in one cell. */
  hasUnclearRule: boolean
  /** Whether the scan ended with an error. */
  hasFailed: boolean
}

const MAX_SAMPLE_ROWS = 200
/** Of each cell; enough to recognise names and numbers. */
const MAX_SAMPLE_CHARACTERS = 200
/** Small pieces take little memory, and most samples are complete after one or two. */
const SAMPLE_PIECE_BYTES = 8 * 1024

/** @param isWhole whether `table` is the whole file; if not, its last record is ignored */
export function readSample(table: Buffer, options: ScanOptions, isWhole: boolean): SampleRows {
  const found: SampleRows = {
    rows: [],
    lines: [],
    unwrapped: [],
    rules: 0,
    hasUnclearRule: false,
    hasFailed: false,
  }
  const { rows } = found
  try {
    const scanner = createScanner(options)
    for (let at = 0; at < table.length && rows.length < MAX_SAMPLE_ROWS; at += SAMPLE_PIECE_BYTES) {
      collectRows(scanner.push(table.subarray(at, at + SAMPLE_PIECE_BYTES)), found)
    }
    if (isWhole && rows.length < MAX_SAMPLE_ROWS) collectRows(scanner.end(), found)
    return found
  } catch {
    // Not necessarily an error of the file: this guess at its dialect may be wrong.
    return { ...found, hasFailed: true }
  }
}

function collectRows(batch: RecordBatch, found: SampleRows): void {
  const { rows, lines, unwrapped } = found
  for (let record = 0; record < batch.count && rows.length < MAX_SAMPLE_ROWS; record++) {
    if (isBlankLine(batch, record) || isRowCount(batch, record)) continue
    const rule = findRule(batch, record)
    if (rule !== undefined) {
      found.rules++
      found.hasUnclearRule ||= rule === 'unclear'
      continue
    }
    lines.push(batch.lines[record] ?? 1)
    rows.push(
      Array.from({ length: cellCount(batch, record) }, (_, column) => {
        if (cellKind(batch, record, column) === UNWRAPPED) {
          unwrapped[column] = (unwrapped[column] ?? 0) + 1
        }
        return cellStart(batch, record, column, MAX_SAMPLE_CHARACTERS)
      }),
    )
  }
}
