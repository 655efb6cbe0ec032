import type { StockText } from '../../../shared/schemas/column-policy'
import { createStockReader } from '../profile/stock-reader'
import { readDigits } from '../read/quantity'
import { cellStart, type RecordBatch } from '../read/scan'

/** Including spaces around it. */
const MAX_CHARACTERS = 200
const AS_IT_IS = { buffer: 0, cutOff: 0, cap: null }

/** Reads the quantity that shops get for a row; NaN without a column, and for a text without a quantity. */
export function createKeyQuantity(
  texts: readonly StockText[],
): (batch: RecordBatch, record: number, column: number) => number {
  const read = createStockReader(AS_IT_IS, texts)
  return (batch, record, column) => {
    if (column < 0) return Number.NaN
    const digits = readDigits(batch, record, column)
    if (digits !== undefined) return digits
    const { quantity, isUnknown } = read(cellStart(batch, record, column, MAX_CHARACTERS))
    return isUnknown ? Number.NaN : quantity
  }
}
