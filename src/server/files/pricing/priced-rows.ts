import { createPricing } from '../../../shared/pricing'
import type { FileProblem } from '../../../shared/schemas/file'
import { createByteOutput } from '../byte-output'
import { toCsvCell } from '../merged/row-bytes'
import { createProblemLog } from '../read/problems'
import { cellStart, listCells, type RecordBatch } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'
import { findPricedColumns, type PricedColumns } from './priced-columns'
import type { JudgedPricing } from './pricing'
import { COST_CHARACTERS, findCurrency, readCost } from './read-cost'
import { createWrittenRow } from './written-row'

/** Makes the prices of canonical rows. What is returned is valid until the next row. */
export interface PricedRows {
  /** What the columns are called then. */
  names: string[]
  /** The header, as the one record of a batch. */
  header(batch: RecordBatch, record: number): RecordBatch
  /** A row, likewise. */
  row(batch: RecordBatch, record: number): RecordBatch
  /** The rows that have no price, by why. Cells are not told: who reads this may not see them. */
  problems(): FileProblem[]
}

const WHY = {
  column: 'The file has no column with the cost, of which prices are made.',
  empty: 'Rows without a cost have no price, because it is made of the cost.',
  unreadable: 'Rows whose cost is no amount have no price, because it is made of the cost.',
  open: 'Rows have no price where it is not certain whether their cost is thousands or has decimals.',
  currency: 'Rows whose cost is in another currency than most have no price.',
}
type Why = keyof typeof WHY

/** @param names all names of the file's columns */
export function createPricedRows(names: readonly string[], pricing: JudgedPricing): PricedRows {
  const columns = findPricedColumns(names, pricing)
  const { sources, priceAt } = columns
  const priceOf = createPricing(pricing.rules)
  const costOf = createCostReader(columns, pricing)
  const written = createWrittenRow(sources.length)
  const missing = new Map<Why, number>()

  function makePrice(batch: RecordBatch, record: number): string {
    const cost = costOf(batch, record)
    if (typeof cost === 'number') return priceOf(cost)
    missing.set(cost, (missing.get(cost) ?? 0) + 1)
    return ''
  }
  return {
    names: columns.names,
    header(batch, record) {
      for (const [at, place] of sources.entries()) {
        if (place < 0) written.text(toCsvCell(columns.names[at] ?? ''))
        else written.copy(batch, record, place)
      }
      return written.end(batch, record)
    },
    row(batch, record) {
      const price = Buffer.from(makePrice(batch, record))
      for (let at = 0; at < sources.length; at++) {
        if (at === priceAt) written.text(price)
        else written.copy(batch, record, sources[at] as number)
      }
      return written.end(batch, record)
    },
    problems() {
      const log = createProblemLog()
      for (const [why, count] of missing) log.add(null, WHY[why], { count })
      return log.list()
    },
  }
}

/** Reads the cost of a row in units, or says why there is none. */
function createCostReader(
  { cost, currency }: PricedColumns,
  { costs }: JudgedPricing,
): (batch: RecordBatch, record: number) => number | Why {
  if (cost < 0) return () => 'column'
  return (batch, record) => {
    const cell = cellStart(batch, record, cost, COST_CHARACTERS)
    const found = readCost(cell, costs.mark)
    if (typeof found !== 'number') return found
    const column = currency < 0 ? '' : cellStart(batch, record, currency, COST_CHARACTERS)
    const named = findCurrency(cell, column)
    if (named === undefined) return 'currency'
    return costs.hasSeveral && named !== costs.currency ? 'currency' : found
  }
}

/** Yields a canonical file with the prices in it. */
export async function* readPriced(
  source: AsyncIterable<Uint8Array>,
  pricing: JudgedPricing,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const output = createByteOutput()
  let priced: PricedRows | undefined
  for await (const batch of scanCanonical(source, signal)) {
    for (let record = 0; record < batch.count; record++) {
      const row = priced?.row(batch, record)
      priced ??= createPricedRows(listCells(batch, record), pricing)
      const { bytes, starts, ends } = row ?? priced.header(batch, record)
      output.add(bytes, starts[0] as number, ends[0] as number)
    }
    if (output.pending() > 0) yield output.take()
  }
}
