import { createMarkSkipper } from './read/encoding/byte-order-mark'
import {
  type RecordBatch,
  type ScanOptions,
  cellCount,
  cellText,
  isBlankLine,
} from './read/scan/scan'
import { createScanner } from './read/scan/scanner'
import { createHead } from './read/table/head-rows'
import { splitChunk } from './read/table/table-reader'
import { createYielder } from './yield-to-event-loop'

/** A place between two rows of a stored file. */
export interface RowPlace {
  /** The bytes before it; 0 before the header. */
  offset: number
  /** The rows before it. */
  row: number
}

export interface BrowseOptions {
  /** That of the file: retailers' files may have another than canonical ones. */
  delimiter: ScanOptions['delimiter']
  /** The names of the columns to return, as stored with the version. */
  columns: readonly string[]
  /** Where `source` begins. */
  from: RowPlace
  /** Only rows with a cell that contains this text, in any case, are returned; '' for all. */
  query: string
  maxRows: number
  /** Stops after about this many bytes, whatever was found. */
  maxBytes: number
  signal: AbortSignal
}

export interface BrowsedRows {
  rows: { number: number; cells: string[] }[]
  /** The place after the last row that was looked at. */
  end: RowPlace
  /** Whether more rows follow. */
  hasMore: boolean
}

/**
 * Returns the next rows of a stored file that contain the query. Each byte is read once, and no more
 * than needed: reading goes on at `end`.
 * @param source the file's bytes from `from.offset` on, which must be the beginning of a record
 * @throws FileError when that is not the beginning of a record of such a file
 */
export async function browseFile(
  source: AsyncIterable<Uint8Array>,
  options: BrowseOptions,
): Promise<BrowsedRows> {
  const scanner = createScanner({ delimiter: options.delimiter, quoting: 'strict' })
  const yieldToEventLoop = createYielder(options.signal)
  const mark = createMarkSkipper()
  const page = createRowPage(options, mark.length)
  const isWhole = options.from.offset === 0
  for await (const chunk of source) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      const rest = isWhole ? mark.read(piece) : piece
      if (page.isFullAfter(scanner.push(rest))) return page.result(true)
    }
  }
  options.signal.throwIfAborted()
  return page.result(page.isFullAfter(scanner.end()))
}

/** @param markLength the bytes before the header */
function createRowPage(
  { columns, from, query, maxRows, maxBytes }: BrowseOptions,
  markLength: () => number,
) {
  const head = createHead(columns)
  const numbers: number[] = []
  const contains = createRowMatcher(query)
  let { offset, row } = from

  /** Returns false, without adding it, when there is no room for the row. */
  const add = (batch: RecordBatch, record: number): boolean => {
    if (numbers.length >= maxRows) return false
    head.add((column) => cellText(batch, record, column))
    if (head.rows.length === numbers.length) return false
    numbers.push(row + 1)
    return true
  }
  return {
    /** Reads a batch, up to the first row for which there is no room. */
    isFullAfter(batch: RecordBatch): boolean {
      const mayContain = contains.inBatch(batch)
      for (let record = 0; record < batch.count; record++) {
        const isHeader = offset === 0
        const size = (batch.ends[record] ?? 0) - (batch.starts[record] ?? 0)
        if (!isHeader && !isBlankLine(batch, record)) {
          if (offset - from.offset >= maxBytes) return true
          const isMatch = mayContain && contains.inRow(batch, record)
          if (isMatch && !add(batch, record)) return true
          row++
        }
        offset += size + (isHeader ? markLength() : 0)
      }
      return false
    },
    result: (hasMore: boolean): BrowsedRows => ({
      rows: numbers.map((number, place) => ({ number, cells: head.rows[place] ?? [] })),
      end: { offset, row },
      hasMore,
    }),
  }
}

/**
 * Finds the rows with a cell that contains the query. Most batches are decoded once and skipped as a
 * whole, because decoding each cell of a large file would take many times as long.
 */
function createRowMatcher(query: string) {
  const wanted = foldText(query)
  // A quotation mark only stands in quoted cells, where it is doubled.
  const wantedInFile = wanted.replaceAll('"', '""')
  const textOf = ({ bytes, starts, ends }: RecordBatch, first: number, last: number) =>
    foldText(bytes.toString('utf8', starts[first], ends[last]))
  return {
    inBatch: (batch: RecordBatch): boolean =>
      wanted === '' ||
      (batch.count > 0 && textOf(batch, 0, batch.count - 1).includes(wantedInFile)),
    inRow(batch: RecordBatch, record: number): boolean {
      if (wanted === '') return true
      if (!textOf(batch, record, record).includes(wantedInFile)) return false
      const columns = Array.from({ length: cellCount(batch, record) }, (_, column) => column)
      return columns.some((column) => foldText(cellText(batch, record, column)).includes(wanted))
    },
  }
}

/** Without regard to case and Unicode form; through lower case, because `ß` and `SS` are equal then. */
export const foldText = (text: string) => text.normalize('NFC').toLowerCase().toUpperCase()
