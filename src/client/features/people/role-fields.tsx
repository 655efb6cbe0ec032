import { Input } from '@mantine/core'
import { useId } from 'react'

import { MEMBER_ROLES_OF, type MemberRole } from '../../../shared/constants'
import { MEMBER_ROLE_LABELS } from '../../lib/member-roles'
import { ROLE_NOTES, type CompanyKind } from './role-words'

import classes from './people.module.css'

interface RoleFieldsProps {
  kind: CompanyKind
  value: MemberRole
  onChange: (role: MemberRole) => void
}

/** A choice among the roles of a company's people, each with what it is for; arrow keys move in it. */
export function RoleFields({ kind, value, onChange }: RoleFieldsProps) {
  const name = useId()
  return (
    <Input.Wrapper label="Role" labelElement="div" labelProps={{ id: name }}>
      <div className={classes.roles} role="radiogroup" aria-labelledby={name}>
        {MEMBER_ROLES_OF[kind].map((role) => (
          <label key={role} className={classes.role}>
            <input
              type="radio"
              className={classes.radio}
              name={name}
              aria-label={MEMBER_ROLE_LABELS[role]}
              aria-describedby={`${name}-${role}`}
              checked={role === value}
              onChange={() => onChange(role)}
            />
            <span className={classes.roleTexts}>
              <span className={classes.roleName}>{MEMBER_ROLE_LABELS[role]}</span>
              <span className={classes.note} id={`${name}-${role}`}>
                {ROLE_NOTES[role]}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Input.Wrapper>
  )
}
