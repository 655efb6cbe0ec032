import { inTransaction } from '../../../db/open'
import { personOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { recordUserAudit } from '../audit/record-audit'
import { endViewAs } from '../view-as/end-view-as'
import { deleteSession } from './sessions.queries'

/** Ends a session, and what it viewed, because its user wants to sign out. */
export async function signOut(deps: Deps, actor: Actor, sessionIdHash: string): Promise<void> {
  const user = personOf(actor)
  await inTransaction(deps.db, async (trx) => {
    await endViewAs(trx, deps, sessionIdHash)
    await deleteSession(trx, sessionIdHash)
    await recordUserAudit(trx, deps, user, { action: 'user.sign-out', actor: user })
  })
}
