import { inTransaction } from '../../../db/open'
import { findWait, insertAttempts, type Attempt } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { findRetailers } from '../../distribution/retailers/retailers.queries'
import { findLatestEntry } from '../../people/audit/audit-entries.queries'
import { recordConnectionAudit, recordRetailerAudit } from '../../people/audit/audited-records'
import { recordAudit } from '../../people/audit/record-audit'
import type { TriedLogin } from './sftp-guests'

/**
 * Records that somebody could not sign in by SFTP, as a sign-in with a wrong password is recorded: so many have an entry
 * each, and the last entry counts those beyond. No login is locked: its password cannot be guessed, and whoever knows
 * its name could lock out its owner.
 */
export async function recordFailedSftpSignIn(
  deps: Deps,
  tried: TriedLogin | undefined,
  address: string,
): Promise<void> {
  const recorded: Attempt[] = [
    { limit: 'recordedFailuresToAccount', subject: `sftp ${tried?.id ?? 'unknown'}` },
    { limit: 'recordedFailuresAtAddress', subject: address },
    { limit: 'recordedFailures', subject: 'all' },
  ]
  await inTransaction(deps.db, async (trx) => {
    const isApart = (await findWait(trx, deps, recorded)) === 0
    if (isApart) await insertAttempts(trx, deps, recorded)
    const until = deps.clock.now()
    const period = { after: until - deps.limits.recordedFailuresToAccount.windowMs, until }
    const findEarlier = async (action: Failure, subjectId: number | null) =>
      isApart ? undefined : (await findLatestEntry(trx, { action, subjectId }, period))?.id
    const { connectionId = null, retailerId = null } = tried ?? {}
    if (connectionId !== null) {
      const connection = await findConnection(trx, connectionId, {})
      const earlierId = await findEarlier('connection.fail-sftp-sign-in', connectionId)
      const write = { verb: 'fail-sftp-sign-in', actor: null, earlierId } as const
      if (connection) return recordConnectionAudit(trx, deps, connection, write)
    }
    if (retailerId !== null) {
      const [retailer] = await findRetailers(trx, [retailerId], {})
      const earlierId = await findEarlier('retailer.fail-sftp-sign-in', retailerId)
      const write = { verb: 'fail-sftp-sign-in', actor: null, earlierId } as const
      if (retailer) return recordRetailerAudit(trx, deps, retailer, write)
    }
    const earlierId = await findEarlier('user.sign-in-failed', null)
    return recordAudit(trx, deps, { action: 'user.sign-in-failed', actor: null, earlierId })
  })
}

type Failure = 'connection.fail-sftp-sign-in' | 'retailer.fail-sftp-sign-in' | 'user.sign-in-failed'
