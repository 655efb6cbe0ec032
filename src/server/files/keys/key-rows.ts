import type { NumberStyle } from '../../../shared/schemas/column-numbers'
import type { ColumnRoles, StockText } from '../../../shared/schemas/column-policy'
import { findColumn } from '../read/categories/category-column'
import type { QuantityColumns } from '../read/quantities/quantity-column'
import type { RecordBatch, ScanOptions } from '../read/scan/scan'
import { findRoleColumn } from '../shop-formats/column-roles'
import { giveBack } from '../task-memory'
import { createHasher } from './hash-bytes'
import { createRowHasher, type RowBytes, withoutLineEnd } from './hash-row'
import { createKeyReader, type KeyReader } from './key-cell'
import { createKeyQuantity } from './key-quantity'
import { createRecordBlock, putSpan, RECORD_WORDS, type RecordBlock } from './key-records'

/** Grows in two steps to 128 Ki records, which a run of a key file does not exceed. */
const FIRST_RECORDS = 2 * 1024
const GROWTH = 8

/** What the supplier has decided of the columns. */
export interface KeyColumns {
  roles: ColumnRoles
  stockTexts: readonly StockText[]
  /** What separates the cells of the file; a comma by default. */
  delimiter?: ScanOptions['delimiter']
  /** Whether columns are called by paths: `findNamed`. */
  arePaths?: boolean | undefined
  /** The column of keys of another file: it is that of this one, too, if there is one of that name. */
  knownKey?: string | undefined
  /** What rows are known by, if not by the cell of their key alone. */
  readKey?: KeyReader | undefined
}

/** Turns the rows of a table into records of a key file. */
export interface KeyRows {
  add(batch: RecordBatch, record: number, row: RowBytes): void
  block(): RecordBlock
  count(): number
  /** Removes all records. */
  clear(): void
  keylessRows(): number
  column: string
  /** null when quantities were not found in one and the same column. */
  quantityColumn(): string | null
  /** How the numbers of the quantity column are written. Must be called after the last row. */
  quantityStyle(): NumberStyle
}

/** @returns undefined for a table without a column of keys */
export function createKeyRows(
  columns: string[],
  quantities: QuantityColumns,
  { roles, stockTexts, delimiter = ',', arePaths, knownKey, readKey: chosenReader }: KeyColumns,
): KeyRows | undefined {
  const knownPlace = knownKey === undefined ? -1 : findColumn(columns, knownKey)
  const keyPlace =
    knownPlace >= 0 ? knownPlace : findRoleColumn(columns, 'sku', roles, null, arePaths)
  if (keyPlace < 0) return undefined
  const chosenQuantity = roles.quantity === null ? -1 : findColumn(columns, roles.quantity)
  const readKey = chosenReader ?? createKeyReader(keyPlace)
  const readQuantity = createKeyQuantity(stockTexts)
  const hash = createHasher()
  const hashRow = createRowHasher(delimiter)
  let block = createRecordBlock(FIRST_RECORDS)
  let count = 0
  let keylessRows = 0
  let quantityPlace = chosenQuantity
  let hasMixedQuantities = false

  function reserve(): void {
    if ((count + 1) * RECORD_WORDS <= block.words.length) return
    const larger = createRecordBlock((GROWTH * block.words.length) / RECORD_WORDS)
    larger.words.set(block.words)
    giveBack(block.words)
    block = larger
  }

  function followQuantity(): void {
    if (chosenQuantity >= 0) return
    const place = quantities.place()
    if (place === quantityPlace) return
    hasMixedQuantities ||= quantityPlace >= 0
    quantityPlace = place
  }

  return {
    add(batch, record, row) {
      const key = readKey(batch, record)
      if (key.start === key.end) {
        keylessRows++
        return
      }
      reserve()
      followQuantity()
      const at = count * RECORD_WORDS
      const length = withoutLineEnd(row.bytes, row.start, row.end) - row.start
      hash(key.bytes, key.start, key.end, block.words, at)
      hashRow(batch, record, row, block.words, at + 2)
      block.doubles[at / 2 + 2] = readQuantity(batch, record, quantityPlace)
      putSpan(block, count, { offset: row.offset, length })
      count++
    },
    block: () => block,
    count: () => count,
    clear() {
      count = 0
    },
    keylessRows: () => keylessRows,
    quantityStyle: () => quantities.styleAt(quantityPlace),
    column: columns[keyPlace] ?? '',
    quantityColumn() {
      const isKnown = quantityPlace >= 0 && !hasMixedQuantities
      return isKnown ? (columns[quantityPlace] ?? null) : null
    },
  }
}
