import { VisuallyHidden } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'

import { AREAS_OF, type MemberRole } from '../../../shared/constants'
import { Panel } from '../../components/layout/panel'
import { MEMBER_ROLE_LABELS } from '../../lib/member-roles'
import { AREA_WORDS, type CompanyKind } from './role-words'

import classes from './people.module.css'

interface OwnRoleProps {
  kind: CompanyKind
  role: MemberRole
}

/** What the role of whoever looks includes, and what it does not. */
export function OwnRole({ kind, role }: OwnRoleProps) {
  return (
    <Panel
      title={`Your role: ${MEMBER_ROLE_LABELS[role]}`}
      description="Owners of your company can change it"
    >
      <ul className={classes.areas} aria-label="What your role includes">
        {AREA_WORDS[kind].map(({ area, text }) => {
          const isIncluded = AREAS_OF[role].includes(area)
          const Glyph = isIncluded ? IconCheck : IconMinus
          return (
            <li key={area} data-included={isIncluded}>
              <Glyph size={16} stroke={2} aria-hidden="true" />
              <span>
                <VisuallyHidden>{isIncluded ? 'Included: ' : 'Not included: '}</VisuallyHidden>
                {text}
              </span>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
