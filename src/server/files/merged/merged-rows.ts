import { createPricing } from '../../../shared/pricing'
import type { PriceRules } from '../../../shared/schemas/price-rules'
import {
  type ChosenItem,
  costOf,
  currencyOf,
  type MergedPart,
  namesCurrency,
} from './choose-supplier'
import type { MergedLayout } from './merged-columns'
import {
  FIRST_CELL_COUNT,
  FIRST_CELLS,
  type PartHead,
  RECORD,
  type RecordCursor,
} from './part-records'
import { createRecordCells } from './record-cells'
import { type RowBytes, toCsvCell, writeCsvCell } from './row-bytes'

export interface MergedRowCounts {
  withoutCost: number
  /** Whose currency is named, but not known. */
  unreadCurrencies: number
}

interface RowsOptions {
  parts: readonly MergedPart[]
  heads: readonly PartHead[]
  layout: MergedLayout
  rows: RowBytes
  counts: MergedRowCounts
}

const COMMA = 0x2c

/**
 * Returns a function that writes the row of an item: quantity, price and cost of the supplier that is named, everything
 * else of the preferred one.
 */
export function createMergedRows(
  { parts, heads, layout, rows, counts }: RowsOptions,
  priceRules: PriceRules | null,
): (group: readonly RecordCursor[], item: ChosenItem) => void {
  const suppliers = parts.map(({ supplier }) => toCsvCell(supplier))
  const cellsOf = heads.map(createRecordCells)
  const priceOf = priceRules && createPricing(priceRules)
  const copy = ({ bytes, index }: RecordCursor, cell: number) => {
    const { starts, ends } = cellsOf[index]!
    rows.copy(bytes, starts[cell] as number, ends[cell] as number)
  }
  function writePrice(named: RecordCursor): void {
    if (!priceOf) return copy(named, FIRST_CELLS.price)
    const cost = costOf(named)
    if (Number.isNaN(cost)) counts.withoutCost++
    else rows.ascii(priceOf(cost))
  }
  return (group, { named, quantity }) => {
    const preferred = group[0] as RecordCursor
    cellsOf[preferred.index]!.find(preferred)
    if (named !== preferred) cellsOf[named.index]!.find(named)
    const { bytes, at, index } = preferred
    const start = at + RECORD.key
    writeCsvCell(rows, bytes, start, start + bytes.readUInt16LE(at + RECORD.keyLength))
    rows.byte(COMMA)
    copy(preferred, FIRST_CELLS.barcode)
    rows.byte(COMMA)
    rows.ascii(String(quantity))
    if (layout.hasPrice) {
      rows.byte(COMMA)
      writePrice(named)
    }
    if (layout.hasCost) {
      rows.byte(COMMA)
      copy(named, FIRST_CELLS.cost)
    }
    if (layout.hasCurrency) {
      rows.byte(COMMA)
      const currency = currencyOf(named, parts)
      if (currency === '' && namesCurrency(named)) counts.unreadCurrencies++
      rows.ascii(currency)
    }
    rows.byte(COMMA)
    const supplier = suppliers[named.index]!
    rows.copy(supplier, 0, supplier.length)
    rows.byte(COMMA)
    copy(named, FIRST_CELLS.supplierSku)
    const places = layout.placesOf[index]!
    for (let other = 0; other < places.length; other++) {
      rows.byte(COMMA)
      const place = places[other] as number
      if (place >= 0) copy(preferred, FIRST_CELL_COUNT + place)
    }
    rows.ascii('\r\n')
  }
}
