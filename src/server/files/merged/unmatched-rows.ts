import type { MergedPart } from './choose-supplier'
import {
  FIRST_CELL_COUNT,
  FIRST_CELLS,
  KEY_KINDS,
  type PartHead,
  RECORD,
  type RecordCursor,
} from './part-records'
import { createRecordCells } from './record-cells'
import { createRowBytes, type RowBytes, toCsvCell } from './row-bytes'

/** Collects the items that neither a GTIN nor the matching file has matched. */
export interface UnmatchedRows {
  rows: RowBytes
  /** Adds the item of a record, if it is one of them. */
  add(record: RecordCursor): void
  count(): number
}

/** As a matching file that its retailer can fill in. */
export function createUnmatchedRows(
  parts: readonly MergedPart[],
  heads: readonly PartHead[],
): UnmatchedRows {
  const rows = createRowBytes()
  const starts = parts.map(({ prefix, supplier }) =>
    Buffer.concat([toCsvCell(prefix), Buffer.from(','), toCsvCell(supplier), Buffer.from(',')]),
  )
  const cellsOf = heads.map(createRecordCells)
  let count = 0
  rows.ascii('prefix,supplier,supplier_sku,barcode,name,gtin,sku\r\n')
  return {
    rows,
    add(record) {
      const { bytes, at, index } = record
      if (bytes[at + RECORD.kind] !== KEY_KINDS.sku) return
      const cells = cellsOf[index]!
      cells.find(record)
      const copy = (cell: number) =>
        rows.copy(bytes, cells.starts[cell] as number, cells.ends[cell] as number)
      const start = starts[index]!
      rows.copy(start, 0, start.length)
      copy(FIRST_CELLS.supplierSku)
      rows.ascii(',')
      copy(FIRST_CELLS.barcode)
      rows.ascii(',')
      const { namePlace } = heads[index]!
      if (namePlace >= 0) copy(FIRST_CELL_COUNT + namePlace)
      rows.ascii(',,\r\n')
      count++
    },
    count: () => count,
  }
}
