import type { ChangeKind } from '../../../shared/constants'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { ReadAt } from '../keys/record-reader'
import { createStoredRows, displayNames } from '../keys/stored-rows'
import { findRoleColumn } from '../shop-formats/column-roles'
import type { ChangedRow } from './changed-rows'
import { type ColumnPair, pairColumns } from './column-pairs'

/** By what the columns of quantities and prices are found. */
export interface ColumnNaming {
  roles: ColumnRoles
  /** The one in which numbers were found when the file was read; null without one. */
  quantityColumn: string | null
  /** Whether columns are called by paths: `findNamed`. */
  arePaths: boolean
}

/** A column of two files, and what a change of its cells is called. */
export interface ComparedColumn extends ColumnPair {
  kind: Exclude<ChangeKind, 'added' | 'removed'>
}

export interface ComparedColumns {
  key: ColumnPair
  others: ComparedColumn[]
}

export async function readComparedColumns(
  files: Record<keyof ChangedRow, ReadAt>,
  { keyColumn, naming }: { keyColumn: string; naming: ColumnNaming },
): Promise<ComparedColumns> {
  const older = await createStoredRows(files.older).header()
  const newer = await createStoredRows(files.newer).header()
  const { key, others } = pairColumns(older, newer, keyColumn)
  const names = displayNames(newer)
  const placeOf = (role: 'quantity' | 'price') =>
    findRoleColumn(names, role, naming.roles, naming.quantityColumn, naming.arePaths)
  const [quantity, price] = [placeOf('quantity'), placeOf('price')]
  const kindOf = ({ newer: place }: ColumnPair) => {
    if (place < 0) return 'other'
    if (place === quantity) return 'quantity'
    return place === price ? 'price' : 'other'
  }
  return { key, others: others.map((column) => ({ ...column, kind: kindOf(column) })) }
}

export const isInBoth = ({ older, newer }: ColumnPair) => older >= 0 && newer >= 0
