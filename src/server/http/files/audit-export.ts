import type { FastifyInstance } from 'fastify'

import { activityExportQuery, auditExportQuery } from '../../../shared/schemas/audit'
import type { Deps } from '../../domain/deps'
import { AUDIT_CSV } from '../../features/people/audit/audit-csv'
import { eachAuditEntry } from '../../features/people/audit/audit-log'
import { recordAdministratorsRead } from '../../features/people/audit/record-read'
import { asCaller } from '../sessions/caller'
import { registerCsv } from './csv-route'

const EXPORTS = [
  { address: 'GET /api/admin/audit.csv', fileName: 'audit.csv', query: auditExportQuery },
  { address: 'GET /api/activity.csv', fileName: 'activity.csv', query: activityExportQuery },
] as const

/** Streams the audit log as CSV, with the filters of its page; to a supplier, what it sees of the log. */
export function registerAuditExports(app: FastifyInstance, deps: Deps): void {
  for (const place of EXPORTS) {
    registerCsv(app, deps, {
      ...place,
      table: AUDIT_CSV,
      pages: (actor, filter) => eachAuditEntry(deps, actor, filter),
      async onRead(request, actor, filter) {
        const read = { action: 'log.export', details: filter } as const
        await asCaller(request, actor, () => recordAdministratorsRead(deps, actor, read))
      },
    })
  }
}
