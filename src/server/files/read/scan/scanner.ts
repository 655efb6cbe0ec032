import { createBatch, ensureCapacity, moveOpenCells } from './record-memory'
import {
  DOUBLED,
  MAX_CHUNK_BYTES,
  MAX_COLUMNS,
  MAX_RECORD_BYTES,
  QUOTED,
  type ScanOptions,
  type Scanner,
  UNWRAPPED,
} from './scan'
import {
  BACKSLASH,
  afterBackslash,
  endOfLine,
  isLineEnd,
  listBytes,
  mergeDoubled,
  removeEscapes,
  skipSpaces,
} from './scan-bytes'
import {
  recordTooLong,
  strayQuote,
  textAfterQuote,
  tooManyColumns,
  unclosedQuote,
} from './scan-errors'

// The state of the scan within a cell.
const CELL_START = 0
const PLAIN = 1
const INSIDE_QUOTES = 2
const AFTER_QUOTES = 3
const LEADING_SPACES = 4

/**
 * Creates a scanner that keeps its state between chunks, so that no byte is scanned twice, however
 * long the record. Its memory is reused for each chunk.
 */
export function createScanner(options: ScanOptions): Scanner {
  const { quoting, firstLine = 1, onBadQuotes } = options
  const { DELIMITER, QUOTE, isEscapable, endsPlainRun, endsQuotedRun, findMarks } =
    listBytes(options)
  const isBackslashed = quoting === 'backslashed'
  const hasQuotes = quoting !== 'none' && !isBackslashed
  const mayHaveSpaces = quoting === 'spaced' || quoting === 'single'

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
  /** Where a run may end: the positions of all bytes of either table, and the index of the next one. */
  let marks: Uint32Array = NO_MARKS
  let nextMark = 0

  /**
   * Moves the incomplete record to the front of the buffer and appends the chunk. A record that is
   * already at the front is not moved: otherwise one that arrives byte by byte would take quadratic
   * time.
   */
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
    cells = moveOpenCells(batch, cells, recordStart)
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
    cellStarts[cells] = start
    const isEscaped = isBackslashed && kind === UNWRAPPED
    cellEnds[cells] = isEscaped ? removeEscapes(batch.bytes, start, end, isEscapable) : end
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
    recordLine = ++line
  }

  /** Handles the byte that ends a cell; false if the byte after a CR has not arrived yet. */
  function closeCell(byte: number, start: number, end: number, isEnd: boolean): boolean {
    const next = byte === DELIMITER ? position + 1 : endOfLine(batch.bytes, position, length, isEnd)
    if (next < 0) return false
    addCell(start, end)
    position = next
    if (byte !== DELIMITER) addRecord(next)
    return true
  }

  /** Scans cells as long as none needs a second look: nearly all have no quotes or line ends in them. */
  function scanSimpleCells(bytes: Buffer, isEnd: boolean): void {
    // Copies of what the loop changes, because variables of a closure are much slower.
    let at = position
    let index = nextMark
    let cell = cells
    let lastCell = (firstCells[batch.count] as number) + MAX_COLUMNS
    for (;;) {
      let mark = marks[index] as number
      while (mark < at) mark = marks[++index] as number
      let start = at
      let end = mark
      if (mark === at && mark < length && bytes[mark] === QUOTE) {
        if (!hasQuotes || quoting === 'single') break
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
      cells = cell
      addRecord(next)
      lastCell = cell + MAX_COLUMNS
    }
    position = at
    nextMark = index
    cells = cell
  }

  /** Scans all bytes, except a CR or quote at the end whose meaning depends on the next byte. */
  function scan(isEnd: boolean): void {
    const { bytes } = batch
    marks = findMarks(bytes, position, length)
    nextMark = 0
    while (position < length) {
      if (state === CELL_START) {
        scanSimpleCells(bytes, isEnd)
        if (position === length) return
        cellStart = position
        state = mayHaveSpaces ? LEADING_SPACES : PLAIN
        if (bytes[position] === QUOTE && hasQuotes) openQuotes()
      } else if (state === PLAIN) {
        const at = endOfRun(bytes, endsPlainRun)
        position = at
        if (at === length) return
        const byte = bytes[at] as number
        if (byte === QUOTE && isBackslashed) {
          if (!skipEscape(bytes, isEnd)) return
        } else if (byte === QUOTE) {
          if (!onBadQuotes) throw strayQuote(line)
          onBadQuotes(line)
          position++
        } else if (!closeCell(byte, cellStart, at, isEnd)) {
          return
        }
      } else if (state === LEADING_SPACES) {
        position = skipSpaces(bytes, position, length)
        if (position === length) return
        state = PLAIN
        if (bytes[position] === QUOTE) openQuotes()
      } else if (state === INSIDE_QUOTES) {
        if (!scanQuoted(bytes, isEnd)) return
      } else {
        if (mayHaveSpaces) position = skipSpaces(bytes, position, length)
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

  /** The next position with a byte of the table, or the end of the bytes. */
  function endOfRun(bytes: Buffer, isEnd: Uint8Array): number {
    let at = marks[nextMark] as number
    while (at < position || (at < length && isEnd[bytes[at] as number] === 0)) {
      at = marks[++nextMark] as number
    }
    return at
  }

  function openQuotes(): void {
    state = INSIDE_QUOTES
    kind = QUOTED
    quoteLine = line
    cellStart = ++position
  }

  function scanQuoted(bytes: Buffer, isEnd: boolean): boolean {
    const at = endOfRun(bytes, endsQuotedRun)
    position = at
    if (at === length) return false
    const byte = bytes[at] as number
    if (byte === BACKSLASH) return skipEscape(bytes, isEnd)
    if (byte !== QUOTE) {
      const next = endOfLine(bytes, position, length, isEnd)
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
      if (quoting === 'single') {
        if (kind === DOUBLED) cellEnd = mergeDoubled(bytes, cellStart, cellEnd, QUOTE)
        kind = UNWRAPPED
      }
      state = AFTER_QUOTES
      position = at + 1
    }
    return true
  }

  /**
   * Goes on behind a backslash and what it escapes; false if that has not arrived yet. In quotes, `\"`
   * becomes `""`, which is as long, and other escapes stay as they are.
   */
  function skipEscape(bytes: Buffer, isEnd: boolean): boolean {
    const next = afterBackslash(bytes, position, isEscapable, { length, isEnd })
    if (next < 0) return false
    const escaped = next > position + 1 ? bytes[position + 1] : undefined
    if (isBackslashed && escaped !== undefined) {
      kind = UNWRAPPED
      if (isLineEnd(escaped)) line++
    } else if (escaped === QUOTE) {
      bytes[position] = QUOTE
      kind = DOUBLED
    }
    position = next
    return true
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
const NO_MARKS = new Uint32Array(0)
