import { foldName } from '../../../shared/categories'
import { COLUMN_NAME_MAX_LENGTH } from '../../../shared/constants'
import { pluralize } from '../../../shared/format'
import { FeedError } from '../feed-error'
import { displayName } from './display-cell'
import type { ProblemLog } from './problems'
import { type RecordBatch, cellCount, cellKind, cellLength, cellText, isBlankLine } from './scan'

/** Receives the rows of a table as they are read. */
export interface RowSink {
  /** Called once, before all rows. `header` is null if the file has none. */
  start(columns: string[], header: { batch: RecordBatch; record: number } | null): void
  /** A row may have fewer cells than there are columns, or additional empty ones. */
  row(batch: RecordBatch, record: number): void
}

export interface TableOptions {
  hasHeader: boolean
  /** Whether rows with fewer cells, or with additional empty ones, are refused as well. */
  requireExactWidth: boolean
  problems: ProblemLog
}

/**
 * At most this many missing cells, plus some for each byte read, are filled in. Otherwise a file of
 * one-cell rows under a wide header would grow a thousandfold when it is rewritten.
 */
const FREE_MISSING_CELLS = 1_000_000
const MISSING_CELLS_PER_BYTE = 10

const CARRIAGE_RETURN = 0x0d

/** Turns records into rows: finds the header, drops blank lines, checks the width of each row. */
export interface Table {
  /** @throws FeedError `ragged-row` for a row with more cells than the header */
  read(batch: RecordBatch, sink: RowSink): void
  /** The names as displayed, or `column_1…n` without a header; undefined before the first record. */
  columns(): string[] | undefined
  rowCount(): number
  /** Whether every row so far is as wide as the header and ends with LF, and no line is blank. */
  isRegular(): boolean
  /** Whether a row so far has had fewer cells than the header. */
  hasShortRows(): boolean
}

/**
 * Blank lines are dropped, in a single-column file too, where an empty cell is written `""`. A line of
 * spaces counts as blank if there are several columns.
 */
export function createTable({ hasHeader, requireExactWidth, problems }: TableOptions): Table {
  let columns: string[] | undefined
  let rowCount = 0
  let isRegular = true
  let hasShortRows = false
  let blankLine = 0
  let missingCells = 0
  let bytes = 0

  /** Handles the first record; returns whether it is the header. */
  function begin(batch: RecordBatch, record: number, sink: RowSink): boolean {
    if (hasHeader) dropByteOrderMark(batch, record)
    const cells = readCells(batch, record)
    columns = cells.map((cell, index) => (hasHeader ? displayName(cell) : `column_${index + 1}`))
    sink.start(columns, hasHeader ? { batch, record } : null)
    if (cells.length === 1) problems.add(null, 'Only one column was found. Is it the right file?')
    if (hasHeader) reportHeader(cells, batch.lines[record] ?? 1, problems)
    else
      problems.add(null, 'The file has no header, so its columns were named column_1, column_2 …')
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
    if (blankLine > 0) {
      isRegular = false
      problems.add(blankLine, 'Blank lines were left out.')
      blankLine = 0
    }
    return false
  }

  function checkWidth(batch: RecordBatch, record: number, width: number): void {
    const cells = cellCount(batch, record)
    if (cells === width) return
    isRegular = false
    const line = batch.lines[record] ?? 0
    if (requireExactWidth) throw raggedRow(line, cells, width, hasHeader)
    if (cells < width) {
      hasShortRows = true
      missingCells += width - cells
      if (missingCells > FREE_MISSING_CELLS + MISSING_CELLS_PER_BYTE * bytes) {
        throw mostlyMissing(line, width)
      }
      problems.add(line, 'Some rows have fewer cells than the header; the missing ones are empty.')
    } else if (hasOnlyEmptyCells(batch, record, width)) {
      problems.add(
        line,
        'Some rows have more cells than the header; the surplus is empty and was cut.',
      )
    } else {
      throw raggedRow(line, cells, width, hasHeader)
    }
  }

  return {
    columns: () => columns,
    rowCount: () => rowCount,
    isRegular: () => isRegular && blankLine === 0,
    hasShortRows: () => hasShortRows,
    read(batch, sink) {
      for (let record = 0; record < batch.count; record++) {
        bytes += (batch.ends[record] ?? 0) - (batch.starts[record] ?? 0)
        // Some readers take a bare CR for text.
        if (batch.bytes[(batch.ends[record] ?? 0) - 1] === CARRIAGE_RETURN) isRegular = false
        if (isDropped(batch, record)) continue
        if (columns) checkWidth(batch, record, columns.length)
        else if (begin(batch, record, sink)) continue
        rowCount++
        sink.row(batch, record)
      }
    },
  }
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

function readCells(batch: RecordBatch, record: number): string[] {
  return Array.from({ length: cellCount(batch, record) }, (_, column) =>
    cellText(batch, record, column),
  )
}

function reportHeader(cells: string[], line: number, problems: ProblemLog): void {
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

function hasOnlyEmptyCells(batch: RecordBatch, record: number, from: number): boolean {
  for (let column = from; column < cellCount(batch, record); column++) {
    if (cellLength(batch, record, column) > 0 && cellText(batch, record, column).trim() !== '') {
      return false
    }
  }
  return true
}

function mostlyMissing(line: number, width: number): FeedError {
  return new FeedError(
    'ragged-row',
    `Up to line ${line} nearly all cells are missing: the header has ${width}, and rows have far fewer.`,
    { line },
  )
}

function raggedRow(line: number, cells: number, width: number, hasHeader: boolean): FeedError {
  const reference = hasHeader ? 'the header' : 'the first row'
  return new FeedError(
    'ragged-row',
    `Line ${line} has ${cells} ${pluralize(cells, 'cell')}, but ${reference} has ${width}.`,
    { line },
  )
}
