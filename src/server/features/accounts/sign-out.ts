import { inTransaction } from '../../db/open'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { recordUserAudit } from '../audit/record-audit'
import { deleteSession } from './sessions.queries'

/** Ends a session of a user, who wants to sign out. */
export async function signOut(deps: Deps, user: Actor, sessionIdHash: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await deleteSession(trx, sessionIdHash)
    await recordUserAudit(trx, deps, user, { action: 'user.sign-out', actor: user })
  })
}
