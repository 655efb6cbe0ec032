import { inTransaction } from '../../db/open'
import { findWait, insertAttempts, type Attempt } from '../../domain/attempts'
import type { Deps } from '../../domain/deps'
import { recordAudit, recordUserAudit } from '../audit/record-audit'
import type { UserRecord } from './users.queries'

/**
 * Records a sign-in with a wrong password, up to so many from an address and in all that a flood fills
 * neither the audit log nor the disk. The work, and so the time, is the same for every account. The
 * name of an unknown user is not recorded: people type passwords into its field.
 */
export async function recordFailedSignIn(
  deps: Deps,
  user: UserRecord | undefined,
  address: string,
): Promise<void> {
  const write = { action: 'user.sign-in-failed', actor: null } as const
  const recorded: Attempt[] = [
    { limit: 'recordedFailuresAtAddress', subject: address },
    { limit: 'recordedFailures', subject: 'all' },
  ]
  await inTransaction(deps.db, async (trx) => {
    if ((await findWait(trx, deps, recorded)) > 0) return
    await insertAttempts(trx, deps, recorded)
    if (user) await recordUserAudit(trx, deps, user, write)
    else await recordAudit(trx, deps, write)
  })
}
