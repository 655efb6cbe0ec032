import type { ColumnNumbers } from '../../../shared/schemas/column-numbers'
import type { CategoryReading } from '../../../shared/schemas/file'
import { type CategorySummary, createCategoryTally } from './categories/category-column'
import { createProblemLog, type ProblemLog } from './problems'
import {
  createQuantityTally,
  type QuantityChoice,
  type QuantityColumns,
} from './quantities/quantity-column'
import { createRemovedRows } from './removed-rows'
import type { RecordBatch } from './scan/scan'
import { addRecord, createHead } from './table/head-rows'

export interface TableSummary extends CategorySummary {
  /** The names of the first columns as displayed: trimmed, long ones cut. */
  columns: string[]
  /** The number of all columns. */
  columnCount: number
  headRows: string[][]
  quantity: { column: string; sum: number } | null
  /** How the numbers of each possible quantity column are written. */
  numbers: ColumnNumbers[]
}

/** Collects what is stored about a table besides its bytes. */
export interface Summary {
  add(batch: RecordBatch, record: number): void
  quantities: QuantityColumns
  /** Tells what of the numbers of a whole file is guessed. */
  reportNumbers(problems: ProblemLog): void
  result(problems: ProblemLog): TableSummary
}

/** What the supplier has chosen of a table, or earlier files have shown. */
export interface TableChoices {
  /** null: the category column and its separators are detected. */
  categories: CategoryReading | null
  quantities: QuantityChoice
  /** Whether it is a part of a file: what its columns show is not told. */
  isPart?: boolean
  /** Whether rows that say that they are removed will be. */
  removesRows?: boolean
}

/** @param arePaths whether columns are called by paths: `findNamed` */
export function createSummary(columns: string[], choices: TableChoices, arePaths = false): Summary {
  const toldIn = (problems: ProblemLog) => (choices.isPart ? createProblemLog() : problems)
  const head = createHead(columns)
  const quantity = createQuantityTally(columns, choices.quantities, arePaths)
  const categories = createCategoryTally(columns, choices.categories, arePaths)
  const removed = createRemovedRows(columns, arePaths)
  return {
    add(batch, record) {
      addRecord(head, batch, record)
      quantity.add(batch, record)
      categories.add(batch, record)
      removed.add(batch, record)
    },
    quantities: quantity,
    reportNumbers: (problems) => quantity.report(toldIn(problems)),
    result(problems) {
      const told = toldIn(problems)
      if (!choices.removesRows) removed.report(problems)
      return {
        columns: head.columns,
        columnCount: columns.length,
        headRows: head.rows,
        quantity: quantity.sum(),
        numbers: quantity.numbers(),
        ...categories.result(told),
      }
    },
  }
}
