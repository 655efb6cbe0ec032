import { IconArrowRight } from '@tabler/icons-react'

import type { AuditChange } from '../../../shared/schemas/audit'
import { labelAuditField } from './audit-words'

import classes from './audit.module.css'

/** The changed fields of an entry, each with its value before and after. */
export function AuditChanges({ changes }: { changes: AuditChange[] }) {
  return (
    <dl className={classes.changes}>
      {changes.map(({ field, before, after }) => (
        <div key={field} className={classes.change}>
          <dt>{labelAuditField(field)}</dt>
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
