import type { ItemPoint } from '../../../shared/schemas/item-history'

/** What there is in place of a value. */
const STATE_WORDS: Record<ItemPoint['state'], string> = {
  in: 'No number',
  out: 'Not in the file',
  untold: 'Not told',
}

export const describeState = ({ state }: Pick<ItemPoint, 'state'>): string => STATE_WORDS[state]

const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })
const DECIMALS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})
const NONE = 'No number'

/** A quantity as it is read, without a unit. */
export const formatNumber = (value: number | null): string =>
  value === null ? NONE : NUMBERS.format(value)

/** A price as it is read, without a currency. */
export const formatPrice = (value: number | null): string =>
  value === null ? NONE : (Number.isInteger(value) ? NUMBERS : DECIMALS).format(value)
