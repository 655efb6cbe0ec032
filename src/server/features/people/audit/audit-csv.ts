import { describeAuditEntry } from '../../../../shared/audit-actions'
import type { AuditEntry } from '../../../../shared/schemas/audit'
import { toSpreadsheetCell } from '../../../../shared/spreadsheet-cell'

const COLUMNS: Record<string, (entry: AuditEntry) => string | number | null> = {
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
}

export const AUDIT_CSV_HEADER = `${Object.keys(COLUMNS).join(',')}\r\n`

/** An entry as a line of CSV, for spreadsheets. */
export function toAuditCsvLine(entry: AuditEntry): string {
  return toLine(Object.values(COLUMNS).map((read) => String(read(entry) ?? '')))
}

function toLine(cells: string[]): string {
  return `${cells.map(toSpreadsheetCell).join(',')}\r\n`
}
