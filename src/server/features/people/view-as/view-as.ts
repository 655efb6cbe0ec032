import { VIEW_AS_MINUTES } from '../../../../shared/constants'
import { MINUTE_MS } from '../../../../shared/durations'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { ViewAsRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { findPerson } from '../accounts/persons.queries'
import { findSession } from '../accounts/sessions.queries'
import { recordUserAudit, recordAudit, type AuditDeps } from '../audit/record-audit'
import { insertViewAs, deleteViewAs, findViewAs, listOldViewAs } from './view-as.queries'

const VIEW_AS_MS = VIEW_AS_MINUTES * MINUTE_MS

/**
 * Lets an administrator's session see the product as a supplier or a retailer sees it, without writing,
 * until it is stopped, the session ends, or the time is over.
 * @throws DomainError NOT_FOUND for an unknown user and for an administrator; CONFLICT for an inactive
 *   user, who sees nothing
 */
export async function startViewAs(
  deps: Deps,
  viewer: Actor,
  userId: number,
  sessionIdHash: string,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    const user = await findPerson(trx, userId)
    if (!user || user.role === 'SUPER_ADMIN') throw notFound('User')
    if (!user.isActive) throw new DomainError('CONFLICT', 'This account is inactive')
    // Signed out meanwhile.
    if (!(await findSession(trx, sessionIdHash, now))) throw notFound('Session')
    await endViewAs(trx, deps, sessionIdHash)
    const viewing = { sessionIdHash, viewerId: viewer.id, userId, endsAt: now + VIEW_AS_MS }
    await insertViewAs(trx, viewing)
    await recordUserAudit(trx, deps, user, { action: 'user.view', actor: viewer })
  })
}

/** Lets the session see the product as its own user again. */
export async function stopViewAs(deps: Deps, sessionIdHash: string): Promise<void> {
  await inTransaction(deps.db, (trx) => endViewAs(trx, deps, sessionIdHash))
}

/** Ends View as of a session, if there is one, and records when. */
export async function endViewAs(
  trx: WriteTransaction,
  deps: AuditDeps,
  sessionIdHash: string,
): Promise<void> {
  const viewAs = await findViewAs(trx, sessionIdHash)
  if (viewAs) await endOne(trx, deps, viewAs)
}

/** Ends each View as whose time is over, or whose session has ended; returns how many. */
export async function endOldViewAs(trx: WriteTransaction, deps: Deps): Promise<number> {
  const old = await listOldViewAs(trx, deps.clock.now())
  for (const viewAs of old) await endOne(trx, deps, viewAs)
  return old.length
}

async function endOne(
  trx: WriteTransaction,
  deps: AuditDeps,
  { sessionIdHash, viewerId, userId, endsAt }: ViewAsRow,
): Promise<void> {
  await deleteViewAs(trx, sessionIdHash)
  const actor = await findPerson(trx, viewerId)
  const user = await findPerson(trx, userId)
  const end = { ...deps, clock: { now: () => Math.min(deps.clock.now(), endsAt) } }
  const write = { action: 'user.stop-viewing', ...(actor && { actor }) } as const
  // A retailer may have been deleted meanwhile.
  if (user) await recordUserAudit(trx, end, user, write)
  else await recordAudit(trx, end, { ...write, subject: { id: userId, name: null } })
}
