import { createBatch, ensureCapacity } from '../feed/read/scan/record-memory'
import {
  DOUBLED,
  MAX_CHUNK_BYTES,
  MAX_COLUMNS,
  MAX_RECORD_BYTES,
  QUOTED,
  type ScanOptions,
  type Scanner,
  UNWRAPPED,
} from '../feed/read/scan/scan'
import {
  recordTooLong,
  strayQuote,
  textAfterQuote,
  tooManyColumns,
  unclosedQuote,
} from '../feed/read/scan/scan-errors'

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const BACKSLASH = 0x5c
const SPACE = 0x20

// The state of the scan within a cell.
const CELL_START = 0
const PLAIN = 1
const INSIDE_QUOTES = 2
const AFTER_QUOTES = 3
const LEADING_SPACES = 4

/**
 * The scanner that looks at one byte after the other, as it is easiest to understand. The product's
 * scanner must find the same records, cells and errors.
 */
export function createPlainScanner({
  delimiter,
  quoting,
  firstLine = 1,
  onBadQuotes,
}: ScanOptions): Scanner {
  const DELIMITER = delimiter.charCodeAt(0)
  const QUOTE = (quoting === 'single' ? "'" : '"').charCodeAt(0)
  const mayHaveSpaces = quoting === 'spaced' || quoting === 'single'
  const endsPlainRun = new Uint8Array(256)
  for (const byte of [DELIMITER, LINE_FEED, CARRIAGE_RETURN]) endsPlainRun[byte] = 1
  if (quoting === 'strict' || quoting === 'escaped' || quoting === 'spaced') endsPlainRun[QUOTE] = 1
  if (quoting === 'backslashed') endsPlainRun[BACKSLASH] = 1
  const endsQuotedRun = new Uint8Array(256)
  for (const byte of [QUOTE, LINE_FEED, CARRIAGE_RETURN]) endsQuotedRun[byte] = 1
  if (quoting === 'escaped') endsQuotedRun[BACKSLASH] = 1

  const batch = createBatch()
  let { starts, ends, lines, firstCells, cellStarts, cellEnds, cellKinds } = batch

  let length = 0
  let position = 0
  let state = CELL_START
  let cells = 0
  let cellStart = 0
  let cellEnd = 0
  let kind = 0
  let line = firstLine
  let recordStart = 0
  let recordLine = firstLine
  let quoteLine = firstLine

  function take(chunk: Uint8Array): void {
    if (chunk.length > MAX_CHUNK_BYTES) throw new RangeError('The chunk is too long to scan')
    const kept = length - recordStart
    if (kept > MAX_RECORD_BYTES) {
      throw recordTooLong(recordLine, state === INSIDE_QUOTES ? quoteLine : undefined)
    }
    const before = batch.bytes
    const isFull = kept + chunk.length > before.length
    if (isFull) batch.bytes = Buffer.allocUnsafeSlow(2 * (kept + chunk.length))
    if (isFull || recordStart > 0) before.copy(batch.bytes, 0, recordStart, length)
    batch.bytes.set(chunk, kept)
    const firstCell = firstCells[batch.count] ?? 0
    const movedTo = firstCell > 0 ? cells : 0
    for (let from = firstCell, to = 0; from < movedTo; from++, to++) {
      cellStarts[to] = (cellStarts[from] ?? 0) - recordStart
      cellEnds[to] = (cellEnds[from] ?? 0) - recordStart
      cellKinds[to] = cellKinds[from] ?? 0
    }
    cells -= firstCell
    ensureCapacity(batch, chunk.length, cells)
    ;({ starts, ends, lines, firstCells, cellStarts, cellEnds, cellKinds } = batch)
    firstCells[0] = 0
    position -= recordStart
    cellStart -= recordStart
    cellEnd -= recordStart
    recordStart = 0
    length = kept + chunk.length
    batch.count = 0
  }

  function addCell(start: number, end: number): void {
    if (cells - (firstCells[batch.count] ?? 0) >= MAX_COLUMNS) throw tooManyColumns(recordLine)
    if (quoting === 'backslashed' && kind === UNWRAPPED) end = removeBackslashes(start, end)
    cellStarts[cells] = start
    cellEnds[cells] = end
    cellKinds[cells] = kind
    cells++
    kind = 0
    state = CELL_START
  }

  function addRecord(end: number): void {
    const record = batch.count
    starts[record] = recordStart
    ends[record] = end
    lines[record] = recordLine
    batch.count = record + 1
    firstCells[record + 1] = cells
    recordStart = end
    recordLine = line
  }

  /** Handles the byte that ends a cell; false if the byte after a CR has not arrived yet. */
  function closeCell(byte: number, start: number, end: number, isEnd: boolean): boolean {
    if (byte === DELIMITER) {
      addCell(start, end)
      position++
      return true
    }
    const next = endOfLine(byte, isEnd)
    if (next < 0) return false
    addCell(start, end)
    position = next
    line++
    addRecord(next)
    return true
  }

  function endOfLine(byte: number, isEnd: boolean): number {
    if (byte === LINE_FEED) return position + 1
    if (position + 1 >= length) return isEnd ? position + 1 : -1
    return batch.bytes[position + 1] === LINE_FEED ? position + 2 : position + 1
  }

  /** Scans all bytes, except a CR or quote at the end whose meaning depends on the next byte. */
  function scan(isEnd: boolean): void {
    const { bytes } = batch
    while (position < length) {
      if (state === CELL_START) {
        cellStart = position
        state = mayHaveSpaces ? LEADING_SPACES : PLAIN
        const mayOpen = quoting !== 'none' && quoting !== 'backslashed'
        if (bytes[position] === QUOTE && mayOpen) openQuotes()
      } else if (state === PLAIN) {
        let at = position
        while (at < length && endsPlainRun[bytes[at] as number] === 0) at++
        position = at
        if (at === length) return
        const byte = bytes[at] as number
        if (byte === BACKSLASH) {
          if (!keepEscaped(isEnd)) return
        } else if (byte === QUOTE) {
          if (!onBadQuotes) throw strayQuote(line)
          onBadQuotes(line)
          position++
        } else if (!closeCell(byte, cellStart, at, isEnd)) {
          return
        }
      } else if (state === LEADING_SPACES) {
        position = skipSpaces(bytes, position)
        if (position === length) return
        state = PLAIN
        if (bytes[position] === QUOTE) openQuotes()
      } else if (state === INSIDE_QUOTES) {
        if (!scanQuoted(bytes, isEnd)) return
      } else {
        if (mayHaveSpaces) position = skipSpaces(bytes, position)
        if (position === length) return
        const byte = bytes[position] as number
        if (endsPlainRun[byte] === 0 || byte === QUOTE) {
          if (!onBadQuotes) throw textAfterQuote(quoteLine)
          onBadQuotes(quoteLine)
          state = PLAIN
        } else if (!closeCell(byte, cellStart, cellEnd, isEnd)) {
          return
        }
      }
    }
  }

  const isEscapable = (byte: number | undefined) =>
    byte !== undefined && [DELIMITER, BACKSLASH, QUOTE, LINE_FEED, CARRIAGE_RETURN].includes(byte)

  /** Keeps a delimiter, quote, backslash or line end after a backslash in the cell. */
  function keepEscaped(isEnd: boolean): boolean {
    const byte = batch.bytes[position + 1]
    const known = byte === CARRIAGE_RETURN ? 2 : 1
    if (position + known >= length && !isEnd) return false
    if (++position >= length || !isEscapable(byte)) return true
    kind = UNWRAPPED
    const isLineEnd = byte === LINE_FEED || byte === CARRIAGE_RETURN
    position = isLineEnd ? endOfLine(byte, isEnd) : position + 1
    if (isLineEnd) line++
    return true
  }

  function removeBackslashes(start: number, end: number): number {
    const { bytes } = batch
    let to = start
    for (let from = start; from < end; from++) {
      if (bytes[from] === BACKSLASH && from + 1 < end && isEscapable(bytes[from + 1])) from++
      bytes[to++] = bytes[from] as number
    }
    return to
  }

  function openQuotes(): void {
    state = INSIDE_QUOTES
    kind = QUOTED
    quoteLine = line
    cellStart = ++position
  }

  function scanQuoted(bytes: Buffer, isEnd: boolean): boolean {
    let at = position
    while (at < length && endsQuotedRun[bytes[at] as number] === 0) at++
    position = at
    if (at === length) return false
    const byte = bytes[at] as number
    if (byte === BACKSLASH) return skipEscape(bytes, isEnd)
    if (byte !== QUOTE) {
      const next = endOfLine(byte, isEnd)
      if (next < 0) return false
      position = next
      line++
      return true
    }
    if (at + 1 >= length && !isEnd) return false
    if (bytes[at + 1] === QUOTE && at + 1 < length) {
      kind = DOUBLED
      position = at + 2
    } else {
      cellEnd = at
      if (quoting === 'single') unwrapSingle(bytes)
      state = AFTER_QUOTES
      position = at + 1
    }
    return true
  }

  /** Makes each `''` one, so that nobody else need know of these quotes. */
  function unwrapSingle(bytes: Buffer): void {
    if (kind === DOUBLED) {
      let to = cellStart
      for (let from = cellStart; from < cellEnd; from++) {
        bytes[to++] = bytes[from] as number
        if (bytes[from] === QUOTE) from++
      }
      cellEnd = to
    }
    kind = UNWRAPPED
  }

  /** Turns `\"` into `""`, which is as long; other escapes stay as they are. */
  function skipEscape(bytes: Buffer, isEnd: boolean): boolean {
    if (position + 1 >= length && !isEnd) return false
    if (bytes[position + 1] === QUOTE && position + 1 < length) {
      bytes[position] = QUOTE
      kind = DOUBLED
      position += 2
    } else {
      position += bytes[position + 1] === BACKSLASH ? 2 : 1
    }
    return true
  }

  function skipSpaces(bytes: Buffer, from: number): number {
    let at = from
    while (at < length && bytes[at] === SPACE) at++
    return at
  }

  return {
    push(chunk) {
      take(chunk)
      scan(false)
      return batch
    },
    end() {
      take(EMPTY)
      scan(true)
      if (state === INSIDE_QUOTES) throw unclosedQuote(quoteLine)
      if (length > recordStart) {
        if (state === CELL_START) addCell(length, length)
        else addCell(cellStart, state === AFTER_QUOTES ? cellEnd : length)
        addRecord(length)
      }
      return batch
    },
  }
}

const EMPTY = new Uint8Array(0)
