import { createCategoryMatcher } from '../../shared/categories'
import type { CategoryReading } from '../../shared/schemas/file'
import { findColumn } from './read/category-column'
import { type FillDown, createFillDown } from './read/fill-down'
import { addRecord, createHead } from './read/head-rows'
import { createProblemLog } from './read/problems'
import type { RecordBatch } from './read/scan'
import { createScanner } from './read/scanner'
import { type RowSink, createTable } from './read/table'
import { splitChunk } from './read/table-reader'
import { createYielder } from './yield-to-event-loop'

export interface FilterOptions {
  /** null when the file has no category column: only the header is written then. */
  categoryReading: CategoryReading | null
  /** Categories whose rows are written; with none, only the header is. */
  categories: readonly string[]
  signal: AbortSignal
}

/**
 * Writes the header and exactly the matching rows of a canonical file, byte for byte. The row count
 * equals the one that the category index computes from the counts of the same file.
 * @param write may use the chunk only until its promise settles: the memory is reused
 */
export async function filterFeed(
  source: AsyncIterable<Uint8Array>,
  { categoryReading, categories, signal }: FilterOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<{ rowCount: number; headRows: string[][] }> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const table = createTable({
    hasHeader: true,
    requireExactWidth: true,
    // In files that were stored before they were left out, they have been counted as rows.
    dropsRepeatedHeader: false,
    problems: createProblemLog(),
  })
  const yieldToEventLoop = createYielder(signal)
  const selection = createSelection(categoryReading, categories)
  for await (const chunk of source) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      table.read(scanner.push(piece), selection.sink)
      await selection.flush(write)
    }
  }
  signal.throwIfAborted()
  table.read(scanner.end(), selection.sink)
  await selection.flush(write)
  return selection.result()
}

const matchNothing = () => false
const noCategory: FillDown = () => ''

/** Buffers the bytes of the header and of matching rows. */
function createSelection(reading: CategoryReading | null, categories: readonly string[]) {
  const matches = reading ? createCategoryMatcher(categories, reading) : matchNothing
  let output = Buffer.allocUnsafeSlow(128 * 1024)
  let length = 0
  let column = -1
  let rowCount = 0
  let head = createHead([])
  let categoryOf: FillDown = noCategory

  const keep = (batch: RecordBatch, record: number) => {
    const start = batch.starts[record] as number
    const end = batch.ends[record] as number
    if (length + end - start > output.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (length + end - start))
      output.copy(larger, 0, 0, length)
      output = larger
    }
    batch.bytes.copy(output, length, start, end)
    length += end - start
  }
  const sink: RowSink = {
    start(columns, header) {
      column = reading ? findColumn(columns, reading.column) : -1
      head = createHead(columns)
      categoryOf = createFillDown(columns, column)
      if (header) keep(header.batch, header.record)
    },
    row(batch, record) {
      if (column < 0 || !matches(categoryOf(batch, record))) return
      keep(batch, record)
      rowCount++
      addRecord(head, batch, record)
    },
  }
  return {
    sink,
    async flush(write: (chunk: Uint8Array) => Promise<void>) {
      if (length > 0) await write(output.subarray(0, length))
      length = 0
    },
    result: () => ({ rowCount, headRows: head.rows }),
  }
}
