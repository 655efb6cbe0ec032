import type { DecimalMark } from '../../../shared/schemas/column-numbers'
import { cellStart, listCells } from '../read/scan/scan'
import { scanCanonical } from '../read/table/scan-canonical'
import { findPricedColumns } from './priced-columns'
import type { JudgedPricing, Pricing } from './pricing'
import { COST_CHARACTERS, findCurrency, findMark, readCost } from './read-cost'

/** Further currencies are not counted: with so many, none is that of the file. */
const MAX_CURRENCIES = 100

/**
 * Judges how the costs of a file are written, and in which currency most of them are. Reads the whole file, also rows
 * that a retailer does not see: all see the same prices.
 */
export async function judgeCosts<Given extends Pricing | undefined>(
  read: () => AsyncIterable<Uint8Array>,
  pricing: Given,
  signal: AbortSignal,
): Promise<JudgedPricing | (Given & undefined)> {
  if (!pricing) return undefined as Given & undefined
  let places: { cost: number; currency: number } | undefined
  const marks = new Set<DecimalMark>()
  const currencies = new Map<string, number>()
  for await (const batch of scanCanonical(read(), signal)) {
    for (let record = 0; record < batch.count; record++) {
      if (!places) {
        places = findPricedColumns(listCells(batch, record), pricing)
        continue
      }
      const { cost, currency: at } = places
      if (cost < 0) break
      const cell = cellStart(batch, record, cost, COST_CHARACTERS)
      if (typeof readCost(cell, 'point') !== 'number') continue
      const mark = findMark(cell)
      if (mark) marks.add(mark)
      const named = findCurrency(cell, at < 0 ? '' : cellStart(batch, record, at, COST_CHARACTERS))
      if (named == null || (currencies.size >= MAX_CURRENCIES && !currencies.has(named))) continue
      currencies.set(named, (currencies.get(named) ?? 0) + 1)
    }
    if (places && places.cost < 0) break
  }
  const [first] = [...currencies].toSorted(([, one], [, other]) => other - one)
  const costs = {
    mark: marks.size === 0 ? pricing.decimalMark : onlyOf(marks),
    currency: first?.[0] ?? null,
    hasSeveral: currencies.size > 1,
  }
  return { ...pricing, costs }
}

/** Costs that show both marks contradict each other. */
const onlyOf = (marks: ReadonlySet<DecimalMark>): DecimalMark | null =>
  marks.size === 1 ? ([...marks][0] ?? null) : null
