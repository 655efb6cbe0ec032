import type { WriteTransaction } from '../../../db/open'
import type { ViewingRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findUser } from '../accounts/users.queries'
import { recordAudit, recordUserAudit, type AuditDeps } from '../audit/record-audit'
import { deleteViewing, findViewing, listOldViewings } from './viewings.queries'

/** Ends the viewing of a session, if there is one, and records when. */
export async function endViewing(
  trx: WriteTransaction,
  deps: AuditDeps,
  sessionIdHash: string,
): Promise<void> {
  const viewing = await findViewing(trx, sessionIdHash)
  if (viewing) await endOne(trx, deps, viewing)
}

/** Ends the viewings whose time is over, or whose session has ended; returns how many. */
export async function endOldViewings(trx: WriteTransaction, deps: Deps): Promise<number> {
  const old = await listOldViewings(trx, deps.clock.now())
  for (const viewing of old) await endOne(trx, deps, viewing)
  return old.length
}

async function endOne(
  trx: WriteTransaction,
  deps: AuditDeps,
  { sessionIdHash, viewerId, userId, endsAt }: ViewingRow,
): Promise<void> {
  await deleteViewing(trx, sessionIdHash)
  const actor = await findUser(trx, viewerId)
  const user = await findUser(trx, userId)
  const end = { ...deps, clock: { now: () => Math.min(deps.clock.now(), endsAt) } }
  const write = { action: 'user.stop-viewing', ...(actor && { actor }) } as const
  // A retailer may have been deleted meanwhile.
  if (user) await recordUserAudit(trx, end, user, write)
  else await recordAudit(trx, end, { ...write, subject: { id: userId, name: null } })
}
