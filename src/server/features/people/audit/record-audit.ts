import { auditNounOf, type AuditAction } from '../../../../shared/audit-actions'
import type { AuditChange } from '../../../../shared/schemas/audit'
import { onCommit, type WriteTransaction } from '../../../db/open'
import type { NewAuditEntryRow } from '../../../db/schema'
import { currentCaller } from '../../../domain/caller'
import type { Deps } from '../../../domain/deps'
import type { UserRecord } from '../accounts/users.queries'
import {
  addToAuditEntry,
  findAuditChanges,
  listSuppliersOfLogin,
  insertAuditEntry,
} from './audit-entries.queries'
import { PRUNED_ACTIONS, pruneEntriesOf } from './audit-retention'
import { mergeAuditChanges, toAuditChanges, type AuditedState } from './audited-changes'

/** Entries are counted by their ids, of all users together. */
const PRUNED_EVERY = 100

/** What recording needs. */
export type AuditDeps = Pick<Deps, 'auditRepeats' | 'clock' | 'logger'>

type AuditedWrite = {
  action: AuditAction
  subject?: { id?: number | null; name: string | null }
  /** The supplier who may read the entry, besides administrators. */
  supplierId?: number | null
  /** The state before and after. Without a difference between the two, nothing is recorded. */
  before?: AuditedState
  after?: AuditedState
  /** Who did it, where that is not the caller: a user who is just signing in; null for nobody known. */
  actor?: UserRecord | null
  /** An earlier entry that is to stand for this one too, instead of an entry of its own. */
  earlierId?: number | undefined
}

/**
 * Records what the caller does, in the transaction that does it, and by its numbers in the log once that is committed.
 * What the same user does to the same thing again and again becomes one entry with a count, unless it has
 * changed what gives access to something: that is bounded by the limits of calls.
 */
export async function recordAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  { action, subject, supplierId = null, before, after, earlierId, ...by }: AuditedWrite,
): Promise<void> {
  const changes = toAuditChanges(before, after)
  if (before && after && changes.length === 0) return
  const { actor: caller, address, origin, keyName } = currentCaller()
  const isCallers = by.actor === undefined
  const actor = isCallers ? caller : by.actor
  const entry = {
    at: deps.clock.now(),
    action,
    noun: auditNounOf(action),
    actorId: actor?.id ?? null,
    actorName: actor?.username ?? null,
    actorRole: actor?.role ?? null,
    keyName: (isCallers && keyName) || null,
    subjectId: subject?.id ?? null,
    subjectName: subject?.name ?? null,
    supplierId,
    changes: changes.length > 0 ? changes : null,
    origin,
    address,
  }
  const likeness = actor && isMergeable(entry) ? toLikeness(entry) : null
  const likeId = likeness === null ? undefined : deps.auditRepeats.find(likeness, entry.at)
  const earlier = await addToEarlier(trx, earlierId ?? likeId, entry)
  if (earlier !== undefined) return log(trx, deps, earlier, entry)
  const id = await insertAuditEntry(trx, entry)
  log(trx, deps, id, entry)
  if (likeness !== null) onCommit(trx, () => deps.auditRepeats.add(likeness, id, entry.at))
  if (actor && id % PRUNED_EVERY === 0) await pruneEntriesOf(trx, actor.id)
}

/** Logs an entry without what is personal: logs are kept by others, and forget nobody. */
function log(trx: WriteTransaction, { logger }: AuditDeps, id: number, entry: NewAuditEntryRow) {
  const { action, noun, actorId, actorRole, subjectId, supplierId, origin } = entry
  const audit = { id, action, noun, actorId, actorRole, subjectId, supplierId, origin }
  onCommit(trx, () => logger.info({ audit }, 'Audit'))
}

/** Entries that give access to something tell each state: one that was undone at once must not be hidden. */
const isMergeable = ({ action, changes }: NewAuditEntryRow) =>
  PRUNED_ACTIONS.includes(action) || !changes

/** What entries have in common that may become one. The subject's name may have changed meanwhile. */
function toLikeness(entry: NewAuditEntryRow): string {
  const { action, actorId, keyName, subjectId, subjectName, origin, address } = entry
  return [actorId, action, origin, address, subjectId ?? subjectName, keyName].join(' ')
}

/** Returns undefined when the entry is to be one of its own. An address stays only if it is that of all. */
async function addToEarlier(
  trx: WriteTransaction,
  id: number | undefined,
  {
    at,
    changes,
    subjectName,
    address = null,
  }: NewAuditEntryRow & { changes: AuditChange[] | null },
): Promise<number | undefined> {
  const earlier = id === undefined ? undefined : await findAuditChanges(trx, id)
  if (id === undefined || !earlier) return undefined
  const merged = mergeAuditChanges(earlier.changes ?? [], changes ?? [])
  await addToAuditEntry(trx, id, {
    at,
    subjectName,
    changes: merged.length > 0 ? merged : null,
    address: earlier.address === address ? address : null,
  })
  return id
}

/** An administrator or a company, or a member of one. */
type AuditedUser = UserRecord & { memberOf?: number | null }

/** Records what happened to a user's account. */
export async function recordUserAudit(
  trx: WriteTransaction,
  deps: AuditDeps,
  user: AuditedUser,
  write: Omit<AuditedWrite, 'subject' | 'supplierId'>,
): Promise<void> {
  const subject = { id: user.id, name: user.username }
  await recordAudit(trx, deps, { ...write, subject, supplierId: await findSupplierOf(trx, user) })
}

/**
 * The supplier who may read what happens to an account: itself, or that of a retailer. Of one with several suppliers
 * none may: it would tell of the others.
 */
export async function findSupplierOf(
  trx: WriteTransaction,
  user: AuditedUser,
): Promise<number | null> {
  const companyId = user.memberOf ?? user.id
  if (user.role === 'SUPER_ADMIN') return null
  if (user.role === 'SUPPLIER') return companyId
  const [supplierId, another] = await listSuppliersOfLogin(trx, companyId)
  return another === undefined ? (supplierId ?? user.registeredByUserId) : null
}
