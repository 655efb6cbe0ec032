import type { PriceRules } from './schemas/price-rules'

/** Amounts are whole numbers of millionths, which are exact up to 100,000,000. */
export const UNITS = 1_000_000
/** How many decimals these are. */
export const UNIT_DECIMALS = 6
/** Hundredths of a percent in a whole. */
const WHOLE = 10_000
const CENT = UNITS / 100
/** Cents in one. */
const ONE = 100

interface Tier {
  from: number
  /** What a cost is multiplied by, in hundredths of a percent. */
  factor: number
  fixed: number
}

/**
 * Returns a function that makes a price, as text with two decimals, of a cost in units. It is the exact sum of cost,
 * percentage and fixed amount, rounded half up to cents, or up to the next price with the ending; but never below the
 * cost. All numbers are whole, and below 2^53.
 */
export function createPricing({ tiers: given, ending }: PriceRules): (cost: number) => string {
  const tiers = given.map(({ from, percent, fixed }): Tier => ({
    from: toUnits(from),
    factor: WHOLE + readHundredths(percent),
    fixed: toUnits(fixed),
  }))
  const upTo = (cents: number) => (ending === null ? cents : nextWith(ending, cents))
  return (cost) => {
    const { factor, fixed } = tiers.findLast(({ from }) => from <= cost) as Tier
    const { units, hasMore } = multiply(cost, factor)
    const price = units + fixed
    const cents = ending === null ? Math.floor((price + CENT / 2) / CENT) : ceil(price, hasMore)
    return writeCents(upTo(Math.max(cents, ceil(cost, false))))
  }
}

/** The units of a number of the settings, such as `12.50`. */
export function toUnits(decimal: string): number {
  const [digits = '0', decimals = ''] = decimal.split('.')
  return Number(digits) * UNITS + Number(decimals.padEnd(UNIT_DECIMALS, '0'))
}

const readHundredths = (percent: string): number => {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(percent) ?? []
  const hundredths = 100 * Number(whole) + Number(decimals.padEnd(2, '0'))
  return sign === '-' ? -hundredths : hundredths
}

/** The product in whole units, and whether there is a rest. */
function multiply(cost: number, factor: number): { units: number; hasMore: boolean } {
  const high = Math.floor(cost / WHOLE)
  const low = (cost % WHOLE) * factor
  return { units: high * factor + Math.floor(low / WHOLE), hasMore: low % WHOLE > 0 }
}

const ceil = (units: number, hasMore: boolean): number => {
  const cents = Math.ceil(units / CENT)
  return hasMore && units % CENT === 0 ? cents + 1 : cents
}

function nextWith(ending: number, cents: number): number {
  const least = cents - (cents % ONE) + ending
  return least >= cents ? least : least + ONE
}

const writeCents = (cents: number): string =>
  `${Math.floor(cents / ONE)}.${String(cents % ONE).padStart(2, '0')}`
