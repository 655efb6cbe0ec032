import { foldName } from '../../../../shared/categories'
import { COLUMN_NAME_MAX_LENGTH } from '../../../../shared/constants'
import { findRule, isRowCount } from '../dialect/drawn-lines'
import type { ProblemLog } from '../problems'
import { displayName } from '../scan/display-cell'
import {
  type RecordBatch,
  cellCount,
  cellKind,
  cellStart,
  cellText,
  isBlankLine,
  listCells,
} from '../scan/scan'
import { unclearColumns } from '../scan/scan-errors'
import { createLineEndCheck } from './line-ends'
import { type HeaderComparison, createHeaderComparison } from './repeated-header'
import { type WidthOptions, createWidthCheck } from './row-width'

/** Where the names of columns are. */
export interface TableHeader {
  batch: RecordBatch
  record: number
  /** Whether they are other ones than those of the source, with as many bytes. */
  isRenamed?: true
}

/** Receives the rows of a table as they are read. */
export interface RowSink {
  /** Called once, before all rows. `header` is null if the file has none. */
  start(columns: string[], header: TableHeader | null): void
  /** A row may have fewer cells than there are columns, or additional empty ones. */
  row(batch: RecordBatch, record: number): void
}

export interface TableOptions extends WidthOptions {
  /** Whether the supplier decided that; it need not be told then. */
  isHeaderChosen?: boolean
  /** Whether lines that are no products are left out: repeated headers, rules, counts of the rows. */
  dropsOtherLines: boolean
}

const ONE_COLUMN = 'Only one column was found. Is it the right file?'
const NO_HEADER = 'The file has no header, so its columns were named column_1, column_2 …'

/** The last row so far, with its first cells shortened. */
interface LastRow {
  line: number
  cells: string[]
}

const LAST_ROW_CELLS = 50
const LAST_ROW_CHARACTERS = 100

/** Turns records into rows: finds the header, drops blank lines, checks the width of each row. */
export interface Table {
  /** @throws FileError `ragged-row` for a row with more cells than the header */
  read(batch: RecordBatch, sink: RowSink): void
  /** The names as displayed, or `column_1…n` without a header; undefined before the first record. */
  columns(): string[] | undefined
  rowCount(): number
  lastRow(): LastRow | undefined
  /** Whether every row so far is as wide as the header and ends alike, with LF or CRLF, and no line is blank. */
  isRegular(): boolean
  /** Whether a row so far has had fewer cells than the header. */
  hasShortRows(): boolean
}

/**
 * Blank lines are dropped, in a single-column file too, where an empty cell is written `""`. A line of
 * spaces counts as blank if there are several columns.
 */
export function createTable(options: TableOptions): Table {
  const { hasHeader, isHeaderChosen = false, widestRow, dropsOtherLines, problems } = options
  const widths = createWidthCheck(options)
  const lineEnds = createLineEndCheck()
  let columns: string[] | undefined
  let isHeader: HeaderComparison | undefined
  let lastRow: LastRow | undefined
  let rowCount = 0
  let isRegular = true
  let blankLine = 0
  let bytes = 0

  /** Handles the first record; returns whether it is the header. */
  function begin(batch: RecordBatch, record: number, sink: RowSink): boolean {
    if (hasHeader) dropByteOrderMark(batch, record)
    const cells = listCells(batch, record)
    const width = widestRow?.() ?? 0
    if (width > cells.length) {
      isRegular = false
      cells.push(...Array<string>(width - cells.length).fill(''))
    }
    columns = cells.map((cell, index) => (hasHeader ? displayName(cell) : `column_${index + 1}`))
    sink.start(columns, hasHeader ? { batch, record } : null)
    if (hasHeader && dropsOtherLines) isHeader = createHeaderComparison(batch, record)
    if (cells.length === 1) problems.add(null, ONE_COLUMN, { setting: 'delimiter' })
    if (hasHeader) reportHeader(cells, batch.lines[record] || null, problems)
    else if (!isHeaderChosen) problems.add(null, NO_HEADER, { setting: 'hasHeader' })
    return hasHeader
  }

  /** Whether a line is not a row. A blank line makes the table irregular once a row follows it. */
  function isDropped(batch: RecordBatch, record: number): boolean {
    if (isBlankLine(batch, record)) {
      blankLine ||= batch.lines[record] ?? 0
      return true
    }
    if (columns?.length !== 1 && isLineOfSpaces(batch, record)) {
      isRegular = false
      return true
    }
    const note = dropsOtherLines ? describeOtherLine(batch, record) : undefined
    if (note !== undefined) {
      isRegular = false
      problems.add(batch.lines[record] ?? 0, note)
      return true
    }
    if (blankLine > 0) {
      isRegular = false
      problems.add(blankLine, 'Blank lines were left out.')
      blankLine = 0
    }
    return false
  }

  /** Whether the record can be read as a row. */
  function fits(batch: RecordBatch, record: number, width: number): boolean {
    if (cellCount(batch, record) === width) return true
    isRegular = false
    return widths.accepts(batch, record, width, bytes)
  }

  function isRepeatedHeader(batch: RecordBatch, record: number): boolean {
    if (!isHeader?.(batch, record)) return false
    isRegular = false
    problems.add(
      batch.lines[record] ?? 0,
      'Lines that repeat the header were read as headers and left out.',
    )
    return true
  }

  return {
    columns: () => columns,
    rowCount: () => rowCount,
    lastRow: () => lastRow,
    isRegular: () => isRegular && blankLine === 0 && lineEnds.areAlike(),
    hasShortRows: widths.hasShortRows,
    read(batch, sink) {
      let last = -1
      for (let record = 0; record < batch.count; record++) {
        const end = batch.ends[record] ?? 0
        bytes += end - (batch.starts[record] ?? 0)
        lineEnds.add(batch.bytes, end)
        if (isDropped(batch, record)) continue
        if (columns ? !fits(batch, record, columns.length) : begin(batch, record, sink)) {
          continue
        }
        if (isRepeatedHeader(batch, record)) continue
        last = record
        rowCount++
        sink.row(batch, record)
      }
      if (last >= 0) lastRow = describeRow(batch, last)
    },
  }
}

/**
 * What is told of a line that a program has drawn for people; undefined for a row.
 * @throws FileError `not-csv-text` for a rule of more columns than the table has
 */
function describeOtherLine(batch: RecordBatch, record: number): string | undefined {
  const rule = findRule(batch, record)
  if (rule === 'unclear') throw unclearColumns(batch.lines[record] ?? 0)
  if (rule === 'clear') return 'Lines of dashes were left out.'
  return isRowCount(batch, record) ? 'The line with the number of rows was left out.' : undefined
}

function describeRow(batch: RecordBatch, record: number): LastRow {
  const length = Math.min(cellCount(batch, record), LAST_ROW_CELLS)
  const cells = Array.from({ length }, (_, column) =>
    cellStart(batch, record, column, LAST_ROW_CHARACTERS),
  )
  return { line: batch.lines[record] ?? 0, cells }
}

/** The decoder removes it at the start of the file only, not after blank lines or a `sep=` line. */
function dropByteOrderMark(batch: RecordBatch, record: number): void {
  const cell = batch.firstCells[record] as number
  const end = batch.cellEnds[cell] as number
  let start = batch.cellStarts[cell] as number
  while (
    end - start >= MARK.length &&
    MARK.equals(batch.bytes.subarray(start, start + MARK.length))
  ) {
    start += MARK.length
  }
  batch.cellStarts[cell] = start
}

const MARK = Buffer.from('\uFEFF')

function isLineOfSpaces(batch: RecordBatch, record: number): boolean {
  if (cellCount(batch, record) !== 1) return false
  return cellKind(batch, record, 0) === 0 && cellText(batch, record, 0).trim() === ''
}

function reportHeader(cells: string[], line: number | null, problems: ProblemLog): void {
  const names = new Set<string>()
  for (const cell of cells.map((text) => text.trim())) {
    if (cell.length > COLUMN_NAME_MAX_LENGTH) {
      problems.add(
        line,
        `Some column names are longer than ${COLUMN_NAME_MAX_LENGTH} characters; only their beginning is shown and compared.`,
      )
    }
    const name = foldName(displayName(cell))
    if (name === '') problems.add(line, 'Some columns have no name.')
    else if (names.has(name)) problems.add(line, 'Some columns have the same name.')
    names.add(name)
  }
}
