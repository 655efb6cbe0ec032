import { Select } from '@mantine/core'

import type { ColumnRoles, ColumnSettings } from '../../../shared/schemas/column-policy'
import { ROLE_LABELS, roleNames } from './role-labels'

import classes from './column-policy.module.css'

interface RoleFieldsProps extends Pick<ColumnSettings, 'columns' | 'found'> {
  roles: ColumnRoles
  onChange: (roles: ColumnRoles) => void
}

const AUTOMATIC = ''

/** Which column is the SKU, the quantity, the barcode and the price. */
export function RoleFields({ columns, found, roles, onChange }: RoleFieldsProps) {
  const names = [...new Set(columns.map(({ name }) => name))].filter((name) => name !== '')
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>What shops are told</legend>
      <p className={classes.note}>
        The formats of retailers’ shops are written from these columns.
      </p>
      <div className={classes.roles}>
        {roleNames.map((role) => {
          const chosen = roles[role]
          const isGone = chosen !== null && !names.includes(chosen)
          return (
            <Select
              key={role}
              label={ROLE_LABELS[role]}
              searchable
              allowDeselect={false}
              nothingFoundMessage="Nothing found"
              error={isGone && 'This column is not in the file'}
              data={[
                { value: AUTOMATIC, label: automaticLabel(found[role]) },
                ...(isGone ? [chosen] : []),
                ...names,
              ]}
              value={chosen ?? AUTOMATIC}
              onChange={(name) => onChange({ ...roles, [role]: name || null })}
            />
          )
        })}
      </div>
    </fieldset>
  )
}

const automaticLabel = (found: string | null) =>
  found === null ? 'Automatic (none found)' : `Automatic (found: ${found})`
