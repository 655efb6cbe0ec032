import { toUnits } from '../../../shared/pricing'
import type { DecimalMark } from '../../../shared/schemas/column-numbers'
import {
  currencyOfPrice,
  readCurrency,
  UNKNOWN_CURRENCY,
  withoutCurrency,
} from '../read/quantities/currency'
import { parseQuantity } from '../read/quantities/quantity'
import { readMoney } from './money'

/** As most costs are written: nothing in them depends on the decimal mark. */
const PLAIN = /^\d{1,8}(?:\.\d{1,2})?$/
/** An amount is neither more nor less than it says, and is of nothing. */
const NO_AMOUNT = /[<>=~+\p{L}]/u
/** So much of a cell is read; longer ones are no costs. */
export const COST_CHARACTERS = 60
const LABEL_LENGTH = 20
const CODE = /^[A-Z]{3}$/

/** Why no cost can be read; `open`: it may be thousands, or have decimals. */
export type NoCost = 'empty' | 'unreadable' | 'open'

/**
 * Reads a cost in units, but guesses nothing.
 * @param cell the first characters of it, `COST_CHARACTERS` at most
 * @param mark what separates decimals; null: that is not known
 */
export function readCost(cell: string, mark: DecimalMark | null): number | NoCost {
  // It may have been cut.
  if (cell.length >= COST_CHARACTERS) return 'unreadable'
  const text = cell.trim()
  if (text === '') return 'empty'
  if (PLAIN.test(text)) return toUnits(text)
  const amount = withoutCurrency(text)
  const written = NO_AMOUNT.test(amount) ? undefined : parseQuantity(amount)
  if (!written) return 'unreadable'
  if (written.open !== null && mark === null) return 'open'
  return readMoney(text, mark ?? 'decimals')?.units ?? 'unreadable'
}

/** Which decimal mark a cost shows. */
export function findMark(cell: string): DecimalMark | null {
  const text = cell.trim()
  if (PLAIN.test(text)) return text.includes('.') ? 'point' : null
  const amount = withoutCurrency(text)
  return NO_AMOUNT.test(amount) ? null : (parseQuantity(amount)?.proof ?? null)
}

/**
 * Names the currency of a cost, by what is written in its cell or in the column of currencies.
 * @returns null: none is named; undefined: two are, or one that is not known
 */
export function findCurrency(cost: string, column: string): string | null | undefined {
  const own = /^[\d.,\s]*$/.test(cost) ? null : (currencyOfPrice(cost) ?? null)
  if (own === UNKNOWN_CURRENCY) return undefined
  const text = column.trim().slice(0, LABEL_LENGTH)
  const read = readCurrency(text)
  if (read === undefined) return own
  const named = read === UNKNOWN_CURRENCY ? text.toUpperCase() : read
  // A sign such as `$` is that of several currencies.
  return own !== null && CODE.test(own) && own !== named ? undefined : named
}
