import { DOUBLED, MAX_COLUMNS, QUOTED, UNWRAPPED } from './scan'
import {
  BACKSLASH,
  afterBackslash,
  endOfLine,
  isLineEnd,
  mergeDoubled,
  skipSpaces,
} from './scan-bytes'
import { strayQuote, textAfterQuote } from './scan-errors'
import {
  AFTER_QUOTES,
  CELL_START,
  INSIDE_QUOTES,
  LEADING_SPACES,
  PLAIN,
  type ScanState,
  addCell,
  addRecord,
} from './scan-state'

/** Scans all bytes, except a CR, quote or backslash at the end whose meaning depends on the next byte. */
export function scanCells(scan: ScanState): void {
  scan.marks = scan.dialect.findMarks(scan.batch.bytes, scan.position, scan.length)
  scan.nextMark = 0
  while (scan.position < scan.length) if (!scanOn(scan)) return
}

/** Each of these goes on in its place within a cell; false when it needs bytes that have not arrived. */
function scanOn(scan: ScanState): boolean {
  switch (scan.place) {
    case CELL_START:
      return scanCellStart(scan)
    case PLAIN:
      return scanPlain(scan)
    case LEADING_SPACES:
      return scanLeadingSpaces(scan)
    case INSIDE_QUOTES:
      return scanQuoted(scan)
    default:
      return scanAfterQuotes(scan)
  }
}

function scanCellStart(scan: ScanState): boolean {
  scanSimpleCells(scan)
  const { dialect, batch, position } = scan
  if (position === scan.length) return false
  scan.cellStart = position
  if (dialect.hasQuotes && batch.bytes[position] === dialect.QUOTE) openQuotes(scan)
  else scan.place = dialect.mayHaveSpaces ? LEADING_SPACES : PLAIN
  return true
}

/** Scans cells as long as none needs a second look: nearly all have no quotes or line ends in them. */
function scanSimpleCells(scan: ScanState): void {
  const { batch, marks, length, isEnd } = scan
  const { bytes, cellStarts, cellEnds, cellKinds } = batch
  const { DELIMITER, QUOTE, endsPlainRun, hasQuotes, isSingle } = scan.dialect
  // Copies of what the loop changes, because fields of an object are much slower.
  let at = scan.position
  let index = scan.nextMark
  let cell = scan.cells
  let lastCell = (batch.firstCells[batch.count] as number) + MAX_COLUMNS
  for (;;) {
    let mark = marks[index] as number
    while (mark < at) mark = marks[++index] as number
    let start = at
    let end = mark
    if (mark === at && mark < length && bytes[mark] === QUOTE) {
      if (!hasQuotes || isSingle) break
      let close = index
      do end = marks[++close] as number
      while (end < length && bytes[end] === DELIMITER)
      if (end === length || bytes[end] !== QUOTE) break
      start = at + 1
      mark = end + 1
    }
    const byte = bytes[mark] as number
    if (mark === length || cell === lastCell || endsPlainRun[byte] === 0 || byte === QUOTE) break
    const next = byte === DELIMITER ? mark + 1 : endOfLine(bytes, mark, length, isEnd)
    if (next < 0) break
    cellStarts[cell] = start
    cellEnds[cell] = end
    cellKinds[cell++] = start > at ? QUOTED : 0
    at = next
    if (byte === DELIMITER) continue
    scan.cells = cell
    addRecord(scan, next)
    lastCell = cell + MAX_COLUMNS
  }
  scan.position = at
  scan.nextMark = index
  scan.cells = cell
}

function scanPlain(scan: ScanState): boolean {
  const { dialect, batch } = scan
  if (!goToMark(scan, dialect.endsPlainRun)) return false
  if (batch.bytes[scan.position] !== dialect.QUOTE) return closeCell(scan, scan.position)
  if (dialect.isBackslashed) return skipEscape(scan)
  report(scan, scan.line, strayQuote)
  scan.position++
  return true
}

function scanLeadingSpaces(scan: ScanState): boolean {
  const { bytes } = scan.batch
  scan.position = skipSpaces(bytes, scan.position, scan.length)
  if (scan.position === scan.length) return false
  if (bytes[scan.position] === scan.dialect.QUOTE) openQuotes(scan)
  else scan.place = PLAIN
  return true
}

function openQuotes(scan: ScanState): void {
  scan.place = INSIDE_QUOTES
  scan.kind = QUOTED
  scan.quoteLine = scan.line
  scan.cellStart = ++scan.position
}

function scanQuoted(scan: ScanState): boolean {
  const { dialect, length, isEnd } = scan
  const { bytes } = scan.batch
  if (!goToMark(scan, dialect.endsQuotedRun)) return false
  const at = scan.position
  const byte = bytes[at]
  if (byte === BACKSLASH) return skipEscape(scan)
  if (byte !== dialect.QUOTE) {
    const next = endOfLine(bytes, at, length, isEnd)
    if (next < 0) return false
    scan.position = next
    if (!scan.countsRecords) scan.line++
    return true
  }
  if (at + 1 >= length && !isEnd) return false
  if (at + 1 < length && bytes[at + 1] === dialect.QUOTE) {
    scan.kind = DOUBLED
    scan.position = at + 2
    return true
  }
  closeQuotes(scan)
  return true
}

function closeQuotes(scan: ScanState): void {
  scan.cellEnd = scan.position++
  scan.place = AFTER_QUOTES
  if (!scan.dialect.isSingle) return
  if (scan.kind === DOUBLED) {
    const { batch, cellStart, cellEnd, dialect } = scan
    scan.cellEnd = mergeDoubled(batch.bytes, cellStart, cellEnd, dialect.QUOTE)
  }
  scan.kind = UNWRAPPED
}

function scanAfterQuotes(scan: ScanState): boolean {
  const { dialect, length } = scan
  const { bytes } = scan.batch
  if (dialect.mayHaveSpaces) scan.position = skipSpaces(bytes, scan.position, length)
  if (scan.position === length) return false
  const byte = bytes[scan.position] as number
  if (dialect.endsPlainRun[byte] === 1 && byte !== dialect.QUOTE) {
    return closeCell(scan, scan.cellEnd)
  }
  report(scan, scan.quoteLine, textAfterQuote)
  scan.place = PLAIN
  return true
}

/** Goes to the next byte of the table; false if there is none. */
function goToMark(scan: ScanState, isWanted: Uint8Array): boolean {
  const { marks, length, position } = scan
  const { bytes } = scan.batch
  let at = marks[scan.nextMark] as number
  while (at < position || (at < length && isWanted[bytes[at] as number] === 0)) {
    at = marks[++scan.nextMark] as number
  }
  scan.position = at
  return at < length
}

/** Handles the byte after a cell. */
function closeCell(scan: ScanState, end: number): boolean {
  const { position } = scan
  const { bytes } = scan.batch
  const isDelimiter = bytes[position] === scan.dialect.DELIMITER
  const next = isDelimiter ? position + 1 : endOfLine(bytes, position, scan.length, scan.isEnd)
  if (next < 0) return false
  addCell(scan, scan.cellStart, end)
  scan.position = next
  if (!isDelimiter) addRecord(scan, next)
  return true
}

/**
 * Goes on behind a backslash and what it escapes. In quotes, `\"` becomes `""`, which is as long, and other
 * escapes stay as they are.
 */
function skipEscape(scan: ScanState): boolean {
  const { dialect, position } = scan
  const { bytes } = scan.batch
  const next = afterBackslash(bytes, position, dialect.isEscapable, scan)
  if (next < 0) return false
  const escaped = next > position + 1 ? bytes[position + 1] : undefined
  if (dialect.isBackslashed && escaped !== undefined) {
    scan.kind = UNWRAPPED
    if (isLineEnd(escaped)) scan.line++
  } else if (escaped === dialect.QUOTE) {
    bytes[position] = dialect.QUOTE
    scan.kind = DOUBLED
  }
  scan.position = next
  return true
}

function report(scan: ScanState, line: number, toError: (line: number) => Error): void {
  if (!scan.onBadQuotes) throw toError(line)
  scan.onBadQuotes(line)
}
