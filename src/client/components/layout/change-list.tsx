import { IconArrowRight } from '@tabler/icons-react'

import type { AuditChange } from '../../../shared/schemas/audit'
import { labelField } from '../../lib/field-label'

import classes from './change-list.module.css'

/** Changed fields, each with its value before and after. */
export function ChangeList({ changes }: { changes: AuditChange[] }) {
  return (
    <dl className={classes.changes}>
      {changes.map(({ field, before, after }) => (
        <div key={field} className={classes.change}>
          <dt>{labelField(field)}</dt>
          <dd>
            <Value text={before} isOld />
            <IconArrowRight size={14} stroke={1.75} aria-label="became" />
            <Value text={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ text, isOld }: { text: string | null; isOld?: boolean }) {
  return (
    <span className={classes.value} data-old={isOld || undefined} dir="auto">
      {text === null || text === '' ? <span className={classes.none}>none</span> : text}
    </span>
  )
}
