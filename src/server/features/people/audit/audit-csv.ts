import { describeAuditEntry } from '../../../../shared/audit-actions'
import type { AuditEntry } from '../../../../shared/schemas/audit'
import { toCsvTable } from '../../../domain/csv-table'

/** Entries for spreadsheets. */
export const AUDIT_CSV = toCsvTable<AuditEntry>({
  time: ({ at }) => at,
  who: ({ actorName }) => actorName,
  role: ({ actorRole }) => actorRole,
  action: ({ action }) => action,
  description: describeAuditEntry,
  subject: ({ subjectName }) => subjectName,
  'subject id': ({ subjectId }) => subjectId,
  'supplier id': ({ supplierId }) => supplierId,
  changes: ({ changes }) =>
    changes
      .map(({ field, before, after }) => `${field}: ${before ?? '–'} → ${after ?? '–'}`)
      .join('; '),
  origin: ({ origin }) => origin,
  address: ({ address }) => address,
  count: ({ count }) => count,
  'first time': ({ firstAt }) => firstAt,
})
