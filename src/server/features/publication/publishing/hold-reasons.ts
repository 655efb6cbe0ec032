import { foldName } from '../../../../shared/categories'
import { hasPathNames } from '../../../../shared/file-source'
import { describeHold } from '../../../../shared/hold-reasons'
import type { ColumnRoles } from '../../../../shared/schemas/column-policy'
import type { Comparison } from '../../../../shared/schemas/comparison'
import type { Guard, HoldReason } from '../../../../shared/schemas/publishing'
import type { VersionRow } from '../../../db/schema'
import { hasTurnedDecimal } from '../../../domain/decimal-marks'
import { isReadAlike } from '../../../files/read/quantities/read-alike'
import { detectRoles } from '../../../files/shop-formats/column-roles'

/** What the guard compares of two files. */
export type FileFacts = Pick<
  VersionRow,
  | 'columns'
  | 'rowCount'
  | 'dialect'
  | 'quantityColumn'
  | 'quantitySum'
  | 'numbers'
  | 'categoryReading'
  | 'fromOverlay'
>

/** What the guard needs of a difference. */
export type LostKeys = Pick<
  Comparison,
  'keyColumn' | 'before' | 'removed' | 'newlyZero' | 'examples'
>

/** Keys that are named in a reason. */
const SHOWN_KEYS = 5
/** A file with fewer rows may lose all of them in a day's trade. */
const MIN_ROWS = 10

/**
 * Compares a file with the one that is published.
 * @param difference null when the items of the two files cannot be compared
 * @returns every reason to hold the file; none when it may be published
 */
export function findHoldReasons(
  guard: Guard,
  { before, after }: { before: FileFacts; after: FileFacts },
  { roles, difference }: { roles: ColumnRoles; difference: LostKeys | null },
): HoldReason[] {
  const isLarge = before.rowCount >= MIN_ROWS
  return [
    ...(guard.needsColumns ? findLostColumns(before, after, roles) : []),
    ...(guard.needsColumns ? findOwnColumns(before, after) : []),
    ...(isLarge ? findFewerRows(guard, before, after) : []),
    ...(isLarge ? findLowerQuantity(guard, before, after) : []),
    ...(isLarge && difference ? findLostKeys(guard, difference) : []),
  ]
}

/** Says why a file is held, and which sheet was found in it, which may be the cause. */
export function describeReasons({
  holdReasons,
  problems,
}: Pick<VersionRow, 'holdReasons' | 'problems'>): string[] {
  if (!holdReasons) return []
  const sheets = problems.filter(({ setting }) => setting === 'sheets')
  return [...holdReasons.map(describeHold), ...sheets.map(({ message }) => message)]
}

/** Whether `after` is less than a share of `before`. */
const isBelow = (percent: number | null, before: number, after: number) =>
  percent !== null && before > 0 && after * 100 < before * percent

function findFewerRows(
  guard: Guard,
  { rowCount: before }: FileFacts,
  { rowCount: after }: FileFacts,
) {
  if (!isBelow(guard.minRowsPercent, before, after)) return []
  return [{ rule: 'rows', before, after } as const]
}

function findLowerQuantity(guard: Guard, before: FileFacts, after: FileFacts): HoldReason[] {
  const { quantityColumn: column, quantitySum: sum } = before
  if (column === null || sum === null || after.quantitySum === null) return []
  if (foldName(column) !== foldName(after.quantityColumn ?? '')) return []
  const isComparable = isReadAlike(before, after, column) || hasTurnedDecimal(before, after, column)
  if (!isComparable) return []
  if (!isBelow(guard.minQuantityPercent, sum, after.quantitySum)) return []
  return [{ rule: 'quantity', column, before: sum, after: after.quantitySum }]
}

function findLostKeys({ maxLostKeysPercent }: Guard, difference: LostKeys): HoldReason[] {
  const { keyColumn: column, before: known, removed: gone, newlyZero } = difference
  if (maxLostKeysPercent === null) return []
  if ((gone + newlyZero) * 100 <= known * maxLostKeysPercent) return []
  const lost = difference.examples.filter(({ kind }) => kind === (gone > 0 ? 'removed' : 'zero'))
  const examples = lost.slice(0, SHOWN_KEYS).map(({ key }) => key)
  return [{ rule: 'keys', column, known, gone, newlyZero, examples }]
}

/** Columns on which retailers' files depend, and which the file no longer has. */
function findLostColumns(before: FileFacts, after: FileFacts, roles: ColumnRoles): HoldReason[] {
  const names = new Set(after.columns.map(foldName))
  const isGone = (column: string) => !names.has(foldName(column))
  const arePaths = hasPathNames(before.dialect)
  const key = roles.sku ?? detectRoles(before.columns, before.quantityColumn, arePaths).sku
  const needed = [
    ['key', key],
    ['quantity', roles.quantity ?? before.quantityColumn],
    ['category', before.categoryReading?.column ?? null],
  ] as const
  const known = new Set(before.columns.map(foldName))
  return needed.flatMap(([role, column]) =>
    column !== null && known.has(foldName(column)) && isGone(column)
      ? [{ rule: 'column', role, column } as const]
      : [],
  )
}

/**
 * Columns that the overlay has replaced until now, and that the file has, too: its own may be years old. None once
 * there is no overlay any more, which somebody has decided.
 */
function findOwnColumns(before: FileFacts, after: FileFacts): HoldReason[] {
  if (!before.fromOverlay || !after.fromOverlay) return []
  const replaced = new Set(after.fromOverlay.replaced.map(foldName))
  const own = new Set(after.columns.map(foldName))
  return before.fromOverlay.replaced
    .filter((column) => own.has(foldName(column)) && !replaced.has(foldName(column)))
    .map((column) => ({ rule: 'overlay', column }))
}
