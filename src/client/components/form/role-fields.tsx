import { Select } from '@mantine/core'

import { foldName } from '../../../shared/categories'
import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import { ROLE_LABELS, roleNames } from '../../lib/role-labels'

import classes from './role-fields.module.css'

/** The columns of a file, as far as they are known, and which of them is found to be what. */
export interface KnownColumns {
  names: readonly string[]
  found: ColumnRoles
}

interface RoleFieldsProps {
  /** undefined before the file was read. */
  known: KnownColumns | undefined
  roles: ColumnRoles
  onChange: (roles: ColumnRoles) => void
}

const AUTOMATIC = ''

/** Which column is the SKU, the quantity, and so on. */
export function RoleFields({ known, roles, onChange }: RoleFieldsProps) {
  const names = [...new Set(known?.names)].filter((name) => name !== '')
  return (
    <div className={classes.roles}>
      {roleNames.map((role) => {
        const chosen = roles[role] ?? null
        const same = names.find((name) => chosen !== null && foldName(name) === foldName(chosen))
        return (
          <Select
            key={role}
            label={ROLE_LABELS[role]}
            searchable
            // Columns beyond the limit are found by searching.
            limit={200}
            allowDeselect={false}
            nothingFoundMessage="Nothing found"
            error={known && chosen !== null && !same && 'This column is not in the file'}
            data={[
              { value: AUTOMATIC, label: automaticLabel(known?.found[role]) },
              ...(chosen !== null && !same ? [chosen] : []),
              ...names,
            ]}
            value={same ?? chosen ?? AUTOMATIC}
            onChange={(name) => onChange({ ...roles, [role]: name || null })}
          />
        )
      })}
    </div>
  )
}

function automaticLabel(found: string | null | undefined): string {
  if (found === undefined) return 'Automatic'
  return found === null ? 'Automatic (none found)' : `Automatic (found: ${found})`
}
