import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'

import { MAX_CALL_COST } from '../../../shared/constants'
import { auditExportQuery, type AuditFilter } from '../../../shared/schemas/audit'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { AUDIT_CSV_HEADER, toAuditCsvLine } from '../../features/people/audit/audit-csv'
import { eachAuditEntry } from '../../features/people/audit/audit-log'
import { recordAdministratorsRead } from '../../features/people/audit/record-read'
import { asCaller, requireCaller } from '../sessions/caller'

const ADDRESS = 'GET /api/admin/audit.csv'

/** A buffer of one page: the next is read when the previous one has been handed to the socket. */
const ONE_PAGE = { objectMode: false, highWaterMark: 1 }

/** Streams the audit log as CSV, with the filters of its page. */
export function registerAuditExport(app: FastifyInstance, deps: Deps): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: ADDRESS.replace('GET ', ''),
    config: { cost: MAX_CALL_COST },
    handler: async (request, reply) => {
      const actor = await requireCaller(deps, request, ADDRESS)
      const filter = auditExportQuery.safeParse(request.query)
      if (!filter.success) throw new DomainError('INVALID', 'The filter is not valid')
      if (request.method === 'GET') {
        const read = { action: 'log.export', details: filter.data } as const
        await asCaller(request, actor, () => recordAdministratorsRead(deps, actor, read))
      }
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="audit.csv"')
        .header('cache-control', 'private, no-store')
        .header('content-security-policy', 'sandbox')
        .send(
          request.method === 'HEAD'
            ? undefined
            : Readable.from(toCsv(deps, actor, filter.data), ONE_PAGE),
        )
    },
  })
}

async function* toCsv(deps: Deps, actor: Actor, filter: AuditFilter): AsyncGenerator<string> {
  yield AUDIT_CSV_HEADER
  for await (const entries of eachAuditEntry(deps, actor, filter)) {
    yield entries.map(toAuditCsvLine).join('')
  }
}
