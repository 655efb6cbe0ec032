import type { QuantityRule } from '../../../shared/merged-files'
import { hasSign } from '../read/quantities/currency'
import { RECORD, type RecordCursor } from './part-records'

/** What is known of a part besides its file. */
export interface PartTerms {
  /** The currency of its amounts where the file names none; null: unknown. */
  currency: string | null
  /** Whether its quantities count as 0. */
  isStale: boolean
}

/** A part of a merged file. */
export interface MergedPart extends PartTerms {
  supplier: string
  prefix: string
}

/** An item as it is merged. */
export interface ChosenItem {
  /** The one whose quantity, price and cost it has, and who is named. */
  named: RecordCursor
  quantity: number
}

/** How often costs could not be compared. */
export interface ChoiceCounts {
  otherCurrencies: number
  unknownCurrencies: number
}

const quantityOf = (cursor: RecordCursor, parts: readonly PartTerms[]): number =>
  parts[cursor.index]?.isStale ? 0 : cursor.bytes.readDoubleLE(cursor.at + RECORD.quantity)

/** A number in units; NaN: unknown. */
export const costOf = ({ bytes, at }: RecordCursor): number => bytes.readDoubleLE(at + RECORD.cost)

const [LETTER_A, LETTER_Z] = [0x41, 0x5a]

/** The code of the currency of a record; empty: unknown. */
export function currencyOf(
  { bytes, at, index }: RecordCursor,
  parts: readonly PartTerms[],
): string {
  const usual = parts[index]?.currency ?? ''
  const start = at + RECORD.currency
  const end = at + RECORD.keyLength
  const first = bytes[start] as number
  if (first === 0) return usual
  if (first >= LETTER_A && first <= LETTER_Z) return bytes.toString('latin1', start, end)
  const [sign = ''] = bytes.toString('utf8', start, end).split('\0', 1)
  return usual !== '' && hasSign(usual, sign) ? usual : ''
}

/** Whether a record names a currency, known or not. */
export const namesCurrency = ({ bytes, at }: RecordCursor): boolean =>
  bytes[at + RECORD.currency] !== 0

/**
 * Returns a function that merges the records of one item, the preferred supplier's first. Costs are compared only in
 * one known currency; where that is not so, the preferred one of the suppliers with stock is taken, and it is counted.
 */
export function createChooser(
  rule: QuantityRule,
  parts: readonly PartTerms[],
  counts: ChoiceCounts,
): (group: readonly RecordCursor[]) => ChosenItem {
  const stock = (cursor: RecordCursor) => quantityOf(cursor, parts)
  const first = (group: readonly RecordCursor[]) => group[0] as RecordCursor
  const merging =
    (merge: (one: number, other: number) => number) => (group: readonly RecordCursor[]) => {
      let quantity = stock(first(group))
      for (let place = 1; place < group.length; place++) {
        quantity = merge(quantity, stock(group[place] as RecordCursor))
      }
      return { named: first(group), quantity }
    }
  if (rule === 'sum') return merging((one, other) => one + other)
  if (rule === 'least') return merging(Math.min)
  if (rule === 'most') return merging(Math.max)
  if (rule === 'first') {
    return (group) => ({ named: first(group), quantity: stock(first(group)) })
  }
  return (group) => {
    if (group.length === 1) return { named: first(group), quantity: stock(first(group)) }
    const inStock = group.filter((cursor) => stock(cursor) > 0)
    const named =
      (inStock.length > 1 ? findCheapest(inStock, parts, counts) : inStock[0]) ?? first(group)
    return { named, quantity: stock(named) }
  }
}

function findCheapest(
  group: readonly RecordCursor[],
  parts: readonly PartTerms[],
  counts: ChoiceCounts,
): RecordCursor | undefined {
  const priced = group.filter((cursor) => !Number.isNaN(costOf(cursor)))
  const [one, ...others] = priced
  if (!one) return group[0]
  const currencies = new Set(priced.map((cursor) => currencyOf(cursor, parts)))
  if (others.length > 0 && (currencies.size > 1 || currencies.has(''))) {
    if (currencies.has('')) counts.unknownCurrencies++
    else counts.otherCurrencies++
    return group[0]
  }
  return others.reduce((best, cursor) => (costOf(cursor) < costOf(best) ? cursor : best), one)
}
