import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'

import type { ColumnRole } from '../../../shared/shop-formats'
import { ROLE_LABELS } from '../../lib/role-labels'
import type { ShownRole } from './shown-roles'

import classes from './role-problems.module.css'

/** What does not work without it. */
const NEEDS: Partial<Record<ColumnRole, string>> = {
  sku: 'Without an SKU, shops cannot tell your items apart, and nobody sees which of them have changed.',
  quantity: 'Without a quantity, shops are not told how many there are.',
}

/** What the supplier should choose: a role without a column, or with one that is not there. */
export const isRoleAsked = ({ role, column, isGone }: ShownRole): boolean =>
  isGone || (column === null && NEEDS[role] !== undefined)

/** Says which columns a file lacks that shops need, and where to choose them. */
export function RoleProblems({ roles }: { roles: readonly ShownRole[] }) {
  const gone = roles.filter(({ isGone }) => isGone)
  const unfound = roles.filter((role) => isRoleAsked(role) && !role.isGone)
  return (
    <>
      {gone.map(({ role, column }) => (
        <Problem key={role} title={`The column “${column}” is not in the file`}>
          It is chosen as the {nameOf(role)}. Choose another one below, under “What the columns
          are”.
        </Problem>
      ))}
      {unfound.length > 0 && (
        <Problem title={`No ${unfound.map(({ role }) => nameOf(role)).join(' and no ')} was found`}>
          {unfound.map(({ role }) => NEEDS[role]).join(' ')} If a column has it under another name,
          choose it below, under “What the columns are”.
        </Problem>
      )}
    </>
  )
}

const nameOf = (role: ColumnRole) => (role === 'sku' ? 'SKU' : ROLE_LABELS[role].toLowerCase())

const Problem = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Alert
    role="note"
    classNames={classes}
    icon={<IconAlertTriangle size={18} aria-hidden="true" />}
    title={title}
  >
    {children}
  </Alert>
)
