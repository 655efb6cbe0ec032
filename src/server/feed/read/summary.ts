import type { CategoryReading } from '../../../shared/schemas/file'
import { type CategorySummary, createCategoryTally } from './category-column'
import { addRecord, createHead } from './head-rows'
import type { ProblemLog } from './problems'
import { createQuantitySum } from './quantity'
import type { RecordBatch } from './scan'

export interface TableSummary extends CategorySummary {
  /** The names of the first columns as displayed: trimmed, long ones cut. */
  columns: string[]
  /** The number of all columns. */
  columnCount: number
  headRows: string[][]
  quantity: { column: string; sum: number } | null
}

/** Collects what is stored about a table besides its bytes. */
export interface Summary {
  add(batch: RecordBatch, record: number): void
  /** The place of the column with quantities, as far as it is known; -1 without any. */
  quantityPlace(): number
  result(problems: ProblemLog): TableSummary
}

export function createSummary(columns: string[], choice: CategoryReading | null): Summary {
  const head = createHead(columns)
  const quantity = createQuantitySum(columns)
  const categories = createCategoryTally(columns, choice)
  return {
    add(batch, record) {
      addRecord(head, batch, record)
      quantity.add(batch, record)
      categories.add(batch, record)
    },
    quantityPlace: quantity.place,
    result: (problems) => ({
      columns: head.columns,
      columnCount: columns.length,
      headRows: head.rows,
      quantity: quantity.result(),
      ...categories.result(problems),
    }),
  }
}
