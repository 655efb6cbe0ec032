import type { AuditAction } from '../../../../shared/audit-actions'
import { inTransaction } from '../../../db/open'
import { personOf, selfOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import type { AuditedState } from './audited-changes'
import { recordAudit, type AuditDeps } from './record-audit'

type Read = {
  action: Extract<AuditAction, `${string}.read-file` | 'backup.download' | 'log.export'>
  subject?: { id?: number; name: string }
  supplierId?: number
  /** What of it was read. */
  details?: AuditedState
}

/**
 * Records that an administrator reads what is not an administrator's own; of others nothing. A read goes on
 * when the disk is full: then only the log tells of it. Never rejects.
 */
export async function recordAdministratorsRead(
  deps: AuditDeps & Pick<Deps, 'db'>,
  actor: Actor,
  { details, ...read }: Read,
): Promise<void> {
  const person = personOf(actor)
  if (person.role !== 'SUPER_ADMIN') return
  const after = { ...details, ...(actor.viewAs && { viewedAs: selfOf(actor).username }) }
  try {
    await inTransaction(deps.db, (trx) => recordAudit(trx, deps, { ...read, actor: person, after }))
  } catch (err) {
    const { action, subject, supplierId } = read
    const viewedAs = actor.viewAs && selfOf(actor).id
    const audit = { action, actorId: person.id, subjectId: subject?.id, supplierId, viewedAs }
    deps.logger.error({ err, audit }, 'A read by an administrator could not be recorded')
  }
}
