import { UNIT_DECIMALS, UNITS } from '../../../shared/pricing'
import type { NumberStyle } from '../../../shared/schemas/column-numbers'
import { withoutCurrency } from '../read/quantities/currency'
import { parseQuantity } from '../read/quantities/quantity'

const MAX_WHOLE_DIGITS = 8

/** An amount that was read, and how it is written with a point. */
export interface Money {
  units: number
  text: string
}

/**
 * Reads a price such as `1.234,50`, `€ 12.50` or `12 EUR`.
 * @param style how the numbers of the column are written
 * @returns undefined for other text, for what is below 0, and for more than eight digits or six decimals
 */
export function readMoney(cell: string, style: NumberStyle): Money | undefined {
  const written = parseQuantity(withoutCurrency(cell))
  if (!written || written.isNegative || written.isBelow) return undefined
  const { whole, fraction, open } = written
  const isDecimal = open === null || style === open || style === 'decimals'
  const [digits, decimals] = isDecimal ? [whole, fraction] : [whole + fraction, '']
  return toMoney(digits.replace(/^0+(?=\d)/, '') || '0', decimals)
}

function toMoney(digits: string, decimals: string): Money | undefined {
  const hasMore = /[^0]/.test(decimals.slice(UNIT_DECIMALS))
  if (digits.length > MAX_WHOLE_DIGITS || hasMore) return undefined
  const units =
    Number(digits) * UNITS + Number(decimals.slice(0, UNIT_DECIMALS).padEnd(UNIT_DECIMALS, '0'))
  return { units, text: decimals === '' ? digits : `${digits}.${decimals}` }
}
