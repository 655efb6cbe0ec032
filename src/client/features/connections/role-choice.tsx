import { Accordion, Text } from '@mantine/core'
import { useState } from 'react'

import type { ColumnRoles } from '../../../shared/schemas/column-policy'
import { type KnownColumns, RoleFields } from '../../components/form/role-fields'
import { ROLE_LABELS, roleNames } from '../../lib/role-labels'

import classes from './reading-choice.module.css'

interface RoleChoiceProps {
  roles: ColumnRoles
  /** undefined before the file was read. */
  known: KnownColumns | undefined
  /** Whether something is missing that the supplier should choose: the block is open then. */
  isAsked?: boolean
  onChange: (roles: ColumnRoles) => void
}

const ROLES = 'roles'

/** Which column is what, folded as long as all are found by their names. */
export function RoleChoice({ roles, known, isAsked = false, onChange }: RoleChoiceProps) {
  const [isToggledOpen, setToggledOpen] = useState<boolean>()
  const chosen = describeRoles(roles)
  const isOpen = isToggledOpen ?? (isAsked || chosen !== undefined)
  const canChoose = known !== undefined || chosen !== undefined
  return (
    <Accordion
      variant="contained"
      classNames={classes}
      value={isOpen ? ROLES : null}
      onChange={(value) => setToggledOpen(value === ROLES)}
    >
      <Accordion.Item value={ROLES}>
        <Accordion.Control>
          <span className={classes.title}>What the columns are</span>
          <span className={classes.summary}>
            {chosen ?? (isAsked ? 'Automatic: please choose what was not found' : 'Automatic')}
          </span>
        </Accordion.Control>
        <Accordion.Panel>
          {canChoose ? (
            <RoleFields
              roles={roles}
              known={known}
              onChange={(changed) => {
                // Otherwise the block would fold when the last choice is taken back.
                setToggledOpen(true)
                onChange(changed)
              }}
            />
          ) : (
            <Text c="dimmed">
              The columns are found by their names. Preview the file to see which, and to choose
              others.
            </Text>
          )}
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** `SKU article, Quantity free`; undefined when nothing is chosen. */
function describeRoles(roles: ColumnRoles): string | undefined {
  const chosen = roleNames.flatMap((role) =>
    roles[role] ? `${ROLE_LABELS[role]} ${roles[role]}` : [],
  )
  return chosen.length === 0 ? undefined : chosen.join(', ')
}
