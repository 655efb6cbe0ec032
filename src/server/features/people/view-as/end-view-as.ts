import type { WriteTransaction } from '../../../db/open'
import type { ViewAsRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findUser } from '../accounts/users.queries'
import { recordAudit, recordUserAudit, type AuditDeps } from '../audit/record-audit'
import { deleteViewAs, findViewAs, listOldViewAs } from './view-as.queries'

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
  const actor = await findUser(trx, viewerId)
  const user = await findUser(trx, userId)
  const end = { ...deps, clock: { now: () => Math.min(deps.clock.now(), endsAt) } }
  const write = { action: 'user.stop-viewing', ...(actor && { actor }) } as const
  // A retailer may have been deleted meanwhile.
  if (user) await recordUserAudit(trx, end, user, write)
  else await recordAudit(trx, end, { ...write, subject: { id: userId, name: null } })
}
