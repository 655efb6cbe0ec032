import { foldName } from '../../../shared/categories'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import type { SourcePreview } from '../../../shared/schemas/connection'
import type { ColumnRole } from '../../../shared/shop-formats'
import type { KnownColumns } from '../../components/form/role-fields'
import { ROLE_LABELS, roleNames } from '../../lib/role-labels'

/** The column that has a role in a file. */
export interface ShownRole {
  role: ColumnRole
  /** null: none was found. */
  column: string | null
  /** It was chosen, and the file does not have it. */
  isGone: boolean
}

type Previewed = Pick<SourcePreview, 'columns' | 'categoryColumns' | 'foundRoles'>

export const toKnownColumns = (preview: Previewed): KnownColumns => ({
  names: preview.categoryColumns,
  found: preview.foundRoles,
})

/** What is chosen, or else found, for each role. */
export function listRoles(preview: Previewed, chosen: ColumnRoles): ShownRole[] {
  const names = new Set([...preview.columns, ...preview.categoryColumns].map(foldName))
  return roleNames.map((role) => {
    const column = chosen[role] ?? preview.foundRoles[role] ?? null
    return { role, column, isGone: column !== null && !names.has(foldName(column)) }
  })
}

/** The roles of the columns, by their places: `SKU`, or `SKU, Barcode`. */
export function tagColumns(
  columns: readonly string[],
  roles: readonly ShownRole[],
): ReadonlyMap<number, string> {
  const tags = new Map<number, string>()
  const folded = columns.map(foldName)
  for (const { role, column } of roles) {
    const place = column === null ? -1 : folded.indexOf(foldName(column))
    const label = ROLE_LABELS[role]
    const before = tags.get(place)
    if (place >= 0) tags.set(place, before === undefined ? label : `${before}, ${label}`)
  }
  return tags
}
