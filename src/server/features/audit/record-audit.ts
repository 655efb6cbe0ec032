import type { AuditAction } from '../../../shared/audit-actions'
import type { WriteTransaction } from '../../db/open'
import type { Actor } from '../../domain/actor'
import { currentCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import {
  deleteOldestEntriesOf,
  findSupplierOfLogin,
  insertAuditEntry,
} from './audit-entries.queries'
import { toAuditChanges, type AuditedState } from './audited-changes'

/** Bounds what one user can make the log store. */
const MAX_ENTRIES_PER_USER = 10_000
const PRUNED_EVERY = 100

type AuditedWrite = {
  action: AuditAction
  subject?: { id?: number | null; name: string | null }
  /** The supplier who may read the entry, besides administrators. */
  supplierId?: number | null
  /** The state before and after. Without a difference between the two, nothing is recorded. */
  before?: AuditedState
  after?: AuditedState
  /** Who did it, where that is not the caller: a user who is just signing in; null for nobody known. */
  actor?: Actor | null
}

/** Records what the caller does, in the transaction that does it. */
export async function recordAudit(
  trx: WriteTransaction,
  { clock }: Pick<Deps, 'clock'>,
  { action, subject, supplierId = null, before, after, ...by }: AuditedWrite,
): Promise<void> {
  const changes = toAuditChanges(before, after)
  if (before && after && changes.length === 0) return
  const { actor: caller, address, origin } = currentCaller()
  const actor = by.actor === undefined ? caller : by.actor
  const id = await insertAuditEntry(trx, {
    at: clock.now(),
    action,
    noun: action.slice(0, action.indexOf('.')),
    actorId: actor?.id ?? null,
    actorName: actor?.username ?? null,
    actorRole: actor?.role ?? null,
    subjectId: subject?.id ?? null,
    subjectName: subject?.name ?? null,
    supplierId,
    changes: changes.length > 0 ? changes : null,
    origin,
    address,
  })
  if (actor && id % PRUNED_EVERY === 0) {
    await deleteOldestEntriesOf(trx, actor.id, MAX_ENTRIES_PER_USER)
  }
}

/** Records what happened to a user's account. */
export async function recordUserAudit(
  trx: WriteTransaction,
  deps: Pick<Deps, 'clock'>,
  user: Actor,
  write: Omit<AuditedWrite, 'subject' | 'supplierId'>,
): Promise<void> {
  const subject = { id: user.id, name: user.username }
  await recordAudit(trx, deps, { ...write, subject, supplierId: await findSupplierOf(trx, user) })
}

/** The supplier who may read what happens to an account: itself, or a retailer's. */
async function findSupplierOf(trx: WriteTransaction, user: Actor): Promise<number | null> {
  if (user.role === 'SUPER_ADMIN') return null
  if (user.role === 'SUPPLIER') return user.id
  return (await findSupplierOfLogin(trx, user.id)) ?? user.registeredByUserId
}
