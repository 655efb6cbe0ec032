import { createCategoryMatcher } from '../../shared/categories'
import type { CategoryReading } from '../../shared/schemas/file'
import { createBreather } from './breather'
import { createCarryForward } from './carry-forward'
import { findColumn } from './category-column'
import { createHeadRows } from './head-rows'
import { createProblemLog } from './problems'
import { toBuffer } from './rewrite'
import { type RecordBatch, cellText } from './scan'
import { createScanner } from './scanner'
import { splitChunk } from './table-reader'
import { type RowSink, createTable } from './table'

export interface FilterOptions {
  reading: CategoryReading
  /** Categories that may be seen; none leaves the header alone. */
  categories: readonly string[]
  signal: AbortSignal
}

/**
 * Writes the header and exactly the matching rows of a canonical file, byte for byte. The row
 * count equals `countVisibleRows` over the counts of the same file.
 * @param write its chunk's memory is used again once it has settled
 */
export async function filterFeed(
  source: AsyncIterable<Uint8Array>,
  { reading, categories, signal }: FilterOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<{ rowCount: number; headRows: string[][] }> {
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const table = createTable({ hasHeader: true, mustBeExact: true, problems: createProblemLog() })
  const breathe = createBreather(signal)
  const rows = createMatchingRows(reading, categories)
  for await (const chunk of source) {
    for (const piece of splitChunk(toBuffer(chunk))) {
      await breathe(piece.length)
      table.read(scanner.push(piece), rows.sink)
      for (const range of rows.takeRanges()) await write(range)
    }
  }
  signal.throwIfAborted()
  table.read(scanner.end(), rows.sink)
  for (const range of rows.takeRanges()) await write(range)
  return rows.result()
}
