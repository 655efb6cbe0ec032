import { inTransaction, type WriteTransaction } from '../../../db/open'
import { findWait, insertAttempts, type Attempt } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { findLatestEntry } from '../audit/audit-entries.queries'
import { recordAudit, recordUserAudit } from '../audit/record-audit'
import type { UserRecord } from './users.queries'

const ACTION = 'user.sign-in-failed'

/**
 * Records a sign-in with a wrong password. All unknown users are one account: their names are not recorded, because
 * people type passwords into that field. The work, and so the time, is the same for every account.
 */
export async function recordFailedSignIn(
  deps: Deps,
  user: UserRecord | undefined,
  address: string,
): Promise<void> {
  await recordFailure(deps, { account: user?.id ?? 'unknown', address }, async (trx, find) => {
    const earlierId = await find({ action: ACTION, subjectId: user?.id ?? null })
    const write = { action: ACTION, actor: null, earlierId } as const
    if (user) await recordUserAudit(trx, deps, user, write)
    else await recordAudit(trx, deps, write)
  })
}

type FindEarlier = (of: Parameters<typeof findLatestEntry>[1]) => Promise<number | undefined>

/**
 * Records that somebody could not sign in. So many to an account, from an address and in all have an entry each, so that
 * a flood fills neither the audit log nor the disk. The account's last entry of the hour counts those beyond, so that a
 * flood hides none.
 * @param record writes the entry; `findEarlier` returns the one that counts it, if it has none of its own
 */
export async function recordFailure(
  deps: Deps,
  { account, address }: { account: string | number; address: string },
  record: (trx: WriteTransaction, findEarlier: FindEarlier) => Promise<void>,
): Promise<void> {
  const recorded: Attempt[] = [
    { limit: 'recordedFailuresToAccount', subject: account },
    { limit: 'recordedFailuresAtAddress', subject: address },
    { limit: 'recordedFailures', subject: 'all' },
  ]
  await inTransaction(deps.db, async (trx) => {
    const isApart = (await findWait(trx, deps, recorded)) === 0
    if (isApart) await insertAttempts(trx, deps, recorded)
    const until = deps.clock.now()
    const period = { after: until - deps.limits.recordedFailuresToAccount.windowMs, until }
    await record(trx, async (of) =>
      isApart ? undefined : (await findLatestEntry(trx, of, period))?.id,
    )
  })
}
