import type { ColumnNumbers, NumberStyle } from '../../../shared/schemas/column-numbers'
import type { FileProblem } from '../../../shared/schemas/file'
import type { GoneItem } from '../gone/gone-list'
import { type ProblemLog, createProblemLog } from '../read/problems'
import { describeGuess } from '../read/quantities/number-notes'
import { parseQuantity } from '../read/quantities/quantity'
import { displayCell, displayName } from '../read/scan/display-cell'
import { type RecordBatch, cellText } from '../read/scan/scan'
import { type Head, createHead } from '../read/table/head-rows'
import type { OutputFormat } from './column-finder'
import { findRoleColumn } from './column-roles'
import { createFormulaGuard, type FormulaGuard } from './formula-guard'
import { findGonePlaces, goneCells, type GonePlaces } from './gone-rows'
import { toIsoDate } from './iso-date'
import { findJsonMark, toJsonNumber } from './json-number'
import { type Layout, layOut } from './layout'
import { findNumberColumns } from './number-columns'
import { findNumbers, findStockPlace } from './quantity-numbers'
import type { RowTarget } from './row-target'
import { createSeenKeys } from './seen-keys'
import { createStockReader } from './stock-reader'

const NO_SKU = 'Rows without a SKU were left out.'
const REPEATED = 'Rows that repeat the SKU of a row before were left out.'
const TOO_MANY = 'The file has too many SKUs to look for repeated ones.'
/** Texts that are told one by one. */
const MAX_TEXTS = 10

/** Writes rows in the form that a shop gets them in. */
export interface ShopRows {
  head: Head
  columnCount: number
  /** Writes a row; returns whether it is not left out. */
  row(batch: RecordBatch, record: number): boolean
  /** Likewise an item that has left the file. Must be called after all rows. */
  gone(item: GoneItem): boolean
  /** Whether such items are written at all. */
  writesGone: boolean
  problems(): FileProblem[]
}

/**
 * @param names all names of the canonical file's columns
 * @param target is given the header at once, and each row
 * @param goneKeyColumn the column of keys of the items that have left the file; null without any
 * @throws FileError `missing-column`
 */
export function createShopRows(
  names: string[],
  format: OutputFormat,
  goneKeyColumn: string | null,
  target: RowTarget,
): ShopRows {
  const log = createProblemLog()
  const guard = createFormulaGuard(format, log)
  const layout = guardHeaders(layOut(names, format), guard)
  const { skuPrefix } = format.profile
  const numbers = findNumberColumns(names, layout, format)
  const writeCells = target({ layout, numbers, log })
  const gonePlaces =
    goneKeyColumn === null ? undefined : findGonePlaces(names, layout, format, goneKeyColumn)
  const check = createRowCheck(layout, gonePlaces, log)
  const stockPlace = findStockPlace(layout)
  const readStock = createStockLog(format, findNumbers(names, stockPlace, format), log)
  const readDate = createDateLog(log)
  const numberPlace = findNumberPlace(names, format)
  const jsonMark = findJsonMark(format.policy.decimalMark, findNumbers(names, numberPlace, format))
  const head = createHead(layout.columns.map(({ header }) => header))
  const write = (found: (string | number)[]) => {
    const cells = found.map(guard)
    head.add((column) => String(cells[column] ?? ''))
    writeCells(cells)
    return true
  }
  return {
    head,
    columnCount: layout.columns.length,
    row(batch, record) {
      if (!check.isWritten(batch, record)) return false
      const quantity = stockPlace < 0 ? 0 : readStock(cellText(batch, record, stockPlace))
      const cells = layout.columns.map(({ source }) => {
        if (source.kind === 'text') return source.text
        if (source.kind === 'quantity') return quantity
        if (source.kind === 'availability') return quantity > 0 ? source.inStock : source.outOfStock
        const cell = cellText(batch, record, source.place)
        if (source.kind === 'sku') return skuPrefix + cell.trim()
        if (source.kind === 'date') return readDate(cell)
        return source.place === numberPlace ? toJsonNumber(cell, jsonMark) : cell
      })
      return write(cells)
    },
    gone(item) {
      if (!gonePlaces || !check.isNew(item.key)) return false
      return write(goneCells(layout, gonePlaces, item, skuPrefix))
    },
    writesGone: gonePlaces !== undefined,
    problems: () => log.list(),
  }
}

function guardHeaders(layout: Layout, guard: FormulaGuard): Layout {
  const columns = layout.columns.map((column) => ({
    ...column,
    header: String(guard(column.header)),
  }))
  return { ...layout, columns }
}

/** Leaves out rows that a shop could not tell apart. */
function createRowCheck({ keyPlace }: Layout, gonePlaces: GonePlaces | undefined, log: ProblemLog) {
  const seen = createSeenKeys()
  let isTold = false
  const isDistinct = (batch: RecordBatch, record: number): boolean => {
    const key = cellText(batch, record, keyPlace).trim()
    if (key === '') {
      log.add(null, NO_SKU)
      return false
    }
    const isNew = seen.add(key)
    if (isNew === undefined && !isTold) log.add(null, TOO_MANY)
    isTold ||= isNew === undefined
    if (isNew === false) log.add(null, REPEATED)
    return isNew !== false
  }
  return {
    isWritten(batch: RecordBatch, record: number): boolean {
      if (keyPlace >= 0) return isDistinct(batch, record)
      if (gonePlaces) seen.add(cellText(batch, record, gonePlaces.key).trim())
      return true
    },
    /** Whether no row has had a key. */
    isNew: (key: string) => seen.add(key.trim()) !== false,
  }
}

/** Reads quantities, and logs the texts that have none. */
function createStockLog(
  { profile, policy }: OutputFormat,
  numbers: ColumnNumbers | undefined,
  log: ProblemLog,
): (cell: string) => number {
  const style = policy.decimalMark ?? numbers?.style ?? 'decimals'
  const read = createStockReader(profile, policy.stockTexts, style)
  const noteGuess = createGuessLog({ column: numbers?.column ?? '', style }, log)
  const texts = new Set<string>()
  return (cell) => {
    const { quantity, isUnknown } = read(cell)
    if (!isUnknown) {
      noteGuess?.(cell)
      return quantity
    }
    const text = cell.trim().slice(0, 40)
    if (texts.size < MAX_TEXTS) texts.add(text)
    const name = texts.has(text) ? `“${text}”` : 'Other texts'
    log.add(null, `${name} in the quantity column is no number; 0 was written.`)
    return quantity
  }
}

/** Writes dates as ISO 8601, and tells of those that are not certain, by the first of them. */
function createDateLog(log: ProblemLog): (cell: string) => string {
  let message: string | undefined
  return (cell) => {
    const date = toIsoDate(cell)
    if (date !== undefined) return date
    const example = displayCell(cell.trim(), 40)
    message ??= `A restock date was written as it is, such as “${example}”: it is not certain which day is meant.`
    log.add(null, message)
    return cell
  }
}

/** The column of quantities that are numbers in JSON even where cells are written as they are; -1 in other forms. */
function findNumberPlace(names: string[], format: OutputFormat): number {
  const { form, policy, quantityColumn, arePaths } = format
  if (form !== 'json') return -1
  return findRoleColumn(names.map(displayName), 'quantity', policy.roles, quantityColumn, arePaths)
}

/** Tells what is guessed of numbers, by one that is written; undefined when nothing is. */
function createGuessLog(
  { column, style }: { column: string; style: NumberStyle },
  log: ProblemLog,
): ((cell: string) => void) | undefined {
  if (style !== 'thousands' && style !== 'decimals') return undefined
  let message: string | undefined
  return (cell) => {
    if (!parseQuantity(cell)?.open) return
    message ??= describeGuess({ column, style, example: cell.trim() })
    log.add(null, message)
  }
}
