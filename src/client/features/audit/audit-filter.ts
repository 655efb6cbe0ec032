import { AUDIT_ACTION_NAMES, AUDIT_NOUNS } from '../../../shared/audit-actions'
import type { AuditFilter } from '../../../shared/schemas/audit'
import type { AuditView } from '../../lib/audit-view'

/** What the server is asked for; days are those of the reader's time zone. */
export function toAuditFilter({ who, what, from, to, supplier, subject }: AuditView): AuditFilter {
  const action = AUDIT_ACTION_NAMES.find((name) => name === what)
  const noun = AUDIT_NOUNS.find((name) => name === what)
  const first = toInstant(from, 'T00:00:00')
  const last = toInstant(to, 'T23:59:59.999')
  return {
    ...(who && { who }),
    ...(action && { action }),
    ...(noun && { noun }),
    ...(first && { from: first }),
    ...(last && { to: last }),
    ...(supplier && { supplierId: supplier }),
    ...(subject && { subjectId: subject }),
  }
}

function toInstant(day: string | undefined, time: string): string | undefined {
  const date = new Date(`${day}${time}`)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
