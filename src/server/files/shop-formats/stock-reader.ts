import { foldName } from '../../../shared/categories'
import type { NumberStyle } from '../../../shared/schemas/column-numbers'
import type { StockText } from '../../../shared/schemas/column-policy'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import { readQuantity } from '../read/quantities/quantity'

export type StockRules = Pick<ShopFormat, 'buffer' | 'cutOff' | 'cap'>

/** Texts whose quantity is remembered; catalogues repeat them. */
const MAX_KNOWN = 10_000

/** What a shop gets for a cell of the quantity column. */
export interface Stock {
  quantity: number
  /** Whether the cell is a text without a quantity, so that 0 is written. */
  isUnknown: boolean
}

/**
 * Returns a function that reads the quantity which a shop gets for a cell: whole and never negative,
 * less the buffer, 0 up to the cut-off, and at most the cap. An empty cell is 0.
 * @param style how the numbers of the column are written
 */
export function createStockReader(
  { buffer, cutOff, cap }: StockRules,
  texts: readonly StockText[],
  style: NumberStyle,
): (cell: string) => Stock {
  const chosen = new Map(texts.map(({ text, quantity }) => [foldName(text), quantity]))
  const known = new Map<string, Stock>()
  const read = (cell: string): Stock => {
    const text = cell.trim()
    const number = chosen.get(foldName(text)) ?? readQuantity(text, style)
    const left = Math.max(0, Math.floor(number ?? 0) - buffer)
    const quantity = left <= cutOff ? 0 : Math.min(left, cap ?? left)
    return { quantity, isUnknown: number === undefined && text !== '' }
  }
  return (cell) => {
    const remembered = known.get(cell)
    if (remembered) return remembered
    const stock = read(cell)
    if (known.size < MAX_KNOWN) known.set(cell, stock)
    return stock
  }
}
