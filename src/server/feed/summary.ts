import type { CategoryReading } from '../../shared/schemas/file'
import { type CategorySummary, createCategoryTally } from './category-column'
import { createHeadRows } from './head-rows'
import type { ProblemLog } from './problems'
import { createQuantitySum } from './quantity'
import type { RecordBatch } from './scan'

export interface TableSummary extends CategorySummary {
  /** Names as shown: trimmed, long ones cut. */
  columns: string[]
  headRows: string[][]
  quantity: { column: string; sum: number } | null
}

/** What is kept of a table besides its bytes. */
export interface Summary {
  add(batch: RecordBatch, record: number): void
  result(problems: ProblemLog): TableSummary
}

export function createSummary(columns: string[], choice: CategoryReading | null): Summary {
  const headRows = createHeadRows(columns.length)
  const quantity = createQuantitySum(columns)
  const categories = createCategoryTally(columns, choice)
  return {
    add(batch, record) {
      headRows.add(batch, record)
      quantity.add(batch, record)
      categories.add(batch, record)
    },
    result: (problems) => ({
      columns,
      headRows: headRows.rows,
      quantity: quantity.result(),
      ...categories.result(problems),
    }),
  }
}
