import type { NumberStyle } from '../../../shared/schemas/column-numbers'
import type { StockText } from '../../../shared/schemas/column-policy'
import { readDigits } from '../read/quantities/quantity'
import { cellStart, type RecordBatch } from '../read/scan/scan'
import { createStockReader } from '../shop-formats/stock-reader'

/** Including spaces around it. */
const MAX_CHARACTERS = 200
const AS_IT_IS = { buffer: 0, cutOff: 0, cap: null }

/**
 * Reads the quantity that shops get for a row; NaN without a column, and for a text without a quantity. A
 * number that depends on how the column is written, which is known only after the last row, is negative
 * until `settleQuantity` has read it.
 */
export function createKeyQuantity(
  texts: readonly StockText[],
): (batch: RecordBatch, record: number, column: number) => number {
  const readComma = createStockReader(AS_IT_IS, texts, 'comma')
  const readPoint = createStockReader(AS_IT_IS, texts, 'point')
  return (batch, record, column) => {
    if (column < 0) return Number.NaN
    const digits = readDigits(batch, record, column)
    if (digits !== undefined) return digits
    const cell = cellStart(batch, record, column, MAX_CHARACTERS)
    const { quantity: comma, isUnknown } = readComma(cell)
    if (isUnknown) return Number.NaN
    const { quantity: point } = readPoint(cell)
    return comma === point ? comma : toUnsettled(comma, point)
  }
}

/** Thousands are even where a decimal point, odd where a decimal comma would make them small. */
const toUnsettled = (comma: number, point: number) => (comma > point ? -2 * comma : -2 * point - 1)

/** @param style how the numbers of the column are written */
export function settleQuantity(quantity: number, style: NumberStyle): number {
  if (!(quantity < 0)) return quantity
  const mark = quantity % 2 === 0 ? 'point' : 'comma'
  const thousands = Math.floor(-quantity / 2)
  return style === mark || style === 'decimals' ? Math.floor(thousands / 1_000) : thousands
}
