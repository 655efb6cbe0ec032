import type { FoundStockTexts } from '../../shared/schemas/column-policy'
import { MAX_STOCK_TEXTS, STOCK_TEXT_MAX_LENGTH } from '../../shared/shop-formats'
import { findColumn } from './read/categories/category-column'
import { createProblemLog } from './read/problems'
import { parseQuantity } from './read/quantities/quantity'
import { cellStart } from './read/scan/scan'
import { createScanner } from './read/scan/scanner'
import { type RowSink, createTable } from './read/table/table'
import { splitChunk } from './read/table/table-reader'
import { createYielder } from './yield-to-event-loop'

/** Different texts that are counted; a column with more of them is no quantity column. */
const MAX_COUNTED = 1_000

/**
 * Counts the texts of the quantity column of a canonical file that are no numbers. Texts that are longer
 * than a supplier may give a quantity to are left out.
 */
export async function countStockTexts(
  source: AsyncIterable<Uint8Array>,
  { column, maxBytes, signal }: { column: string; maxBytes: number; signal: AbortSignal },
): Promise<FoundStockTexts> {
  const counts = new Map<string, number>()
  const scanner = createScanner({ delimiter: ',', quoting: 'strict' })
  const table = createTable({
    hasHeader: true,
    requireExactWidth: true,
    dropsOtherLines: false,
    problems: createProblemLog(),
  })
  const yieldToEventLoop = createYielder(signal)
  let place = -1
  const sink: RowSink = {
    start(columns) {
      place = findColumn(columns, column)
    },
    row(batch, record) {
      const text = cellStart(batch, record, place, STOCK_TEXT_MAX_LENGTH + 1).trim()
      if (text === '' || text.length > STOCK_TEXT_MAX_LENGTH) return
      const count = counts.get(text)
      if (
        count === undefined &&
        (counts.size >= MAX_COUNTED || parseQuantity(text) !== undefined)
      ) {
        return
      }
      counts.set(text, (count ?? 0) + 1)
    },
  }
  const result = (isWhole: boolean): FoundStockTexts => ({
    texts: [...counts]
      .map(([text, rows]) => ({ text, rows }))
      .toSorted((a, b) => b.rows - a.rows)
      .slice(0, MAX_STOCK_TEXTS),
    isWhole,
  })
  let bytes = 0
  for await (const chunk of source) {
    for (const piece of splitChunk(chunk)) {
      await yieldToEventLoop(piece.length)
      table.read(scanner.push(piece), sink)
      bytes += piece.length
      if (bytes >= maxBytes) return result(false)
    }
  }
  signal.throwIfAborted()
  table.read(scanner.end(), sink)
  return result(true)
}
