import type { ProblemLog } from '../problems'
import { type RecordBatch, cellCount, cellLength, cellText } from '../scan/scan'
import { enclosedCells, mostlyMissing, raggedRow } from '../scan/scan-errors'

/**
 * At most this many missing cells, plus some for each byte read, are filled in. Otherwise a file of
 * one-cell rows under a wide header would grow a thousandfold when it is rewritten.
 */
const FREE_MISSING_CELLS = 1_000_000
const MISSING_CELLS_PER_BYTE = 10

const SHORT_ROWS = 'Some rows have fewer cells than the header; the missing ones are empty.'
const WIDE_ROWS = 'Some rows have more cells than the header; the surplus is empty and was cut.'

export interface WidthOptions {
  hasHeader: boolean
  /** Whether rows with fewer cells, or with additional empty ones, are refused as well. */
  requireExactWidth: boolean
  /** The cells of the widest row so far, where rows end with their last filled cell; they are not told then. */
  widestRow?: (() => number) | undefined
  problems: ProblemLog
  /** Receives the lines of rows that are too wide instead of an exception; these rows are left out. */
  onRaggedRow?: ((line: number) => void) | undefined
}

/** Checks rows whose width is not that of the header. */
export interface WidthCheck {
  /** Whether such a record can be read as a row. @param bytesRead of the file so far */
  accepts(batch: RecordBatch, record: number, width: number, bytesRead: number): boolean
  /** Whether a row so far has had fewer cells than the header. */
  hasShortRows(): boolean
}

export function createWidthCheck(options: WidthOptions): WidthCheck {
  const { hasHeader, requireExactWidth, widestRow, problems, onRaggedRow } = options
  let missingCells = 0
  return {
    hasShortRows: () => missingCells > 0,
    accepts(batch, record, width, bytesRead) {
      const cells = cellCount(batch, record)
      const line = batch.lines[record] ?? 0
      if (requireExactWidth || (cells > width && !hasOnlyEmptyCells(batch, record, width))) {
        if (onRaggedRow) {
          onRaggedRow(line)
          return false
        }
        // Without quoting, a quoted delimiter makes a row wider.
        if (requireExactWidth && hasQuote(batch, record)) throw enclosedCells()
        throw raggedRow(line, cells, width, hasHeader)
      }
      missingCells += Math.max(0, width - cells)
      if (missingCells > FREE_MISSING_CELLS + MISSING_CELLS_PER_BYTE * bytesRead) {
        throw mostlyMissing(line, width)
      }
      if (cells > width || !widestRow) problems.add(line, cells < width ? SHORT_ROWS : WIDE_ROWS)
      return true
    },
  }
}

function hasQuote({ bytes, starts, ends }: RecordBatch, record: number): boolean {
  return bytes.subarray(starts[record], ends[record]).includes('"')
}

function hasOnlyEmptyCells(batch: RecordBatch, record: number, from: number): boolean {
  for (let column = from; column < cellCount(batch, record); column++) {
    if (cellLength(batch, record, column) > 0 && cellText(batch, record, column).trim() !== '') {
      return false
    }
  }
  return true
}
