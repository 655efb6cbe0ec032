import type { Deps } from '../../../domain/deps'
import { findConnection } from '../../catalogue/connections/connections.queries'
import { findRetailers } from '../../distribution/retailers/retailers.queries'
import { recordFailure } from '../../people/accounts/failed-sign-ins'
import { recordConnectionAudit, recordRetailerAudit } from '../../people/audit/audited-records'
import { recordAudit } from '../../people/audit/record-audit'
import type { TriedLogin } from './sftp-guests'

const VERB = 'fail-sftp-sign-in'

/**
 * Records that somebody could not sign in by SFTP, as a sign-in with a wrong password is recorded. No login is locked:
 * its password cannot be guessed, and whoever knows its name could lock out its owner.
 */
export function recordFailedSftpSignIn(
  deps: Deps,
  tried: TriedLogin | undefined,
  address: string,
): Promise<void> {
  const { id: loginId = 'unknown', connectionId = null, retailerId = null } = tried ?? {}
  return recordFailure(deps, { account: `sftp ${loginId}`, address }, async (trx, find) => {
    if (connectionId !== null) {
      const connection = await findConnection(trx, connectionId, {})
      const earlierId = await find({ action: `connection.${VERB}`, subjectId: connectionId })
      const write = { verb: VERB, actor: null, earlierId } as const
      if (connection) return recordConnectionAudit(trx, deps, connection, write)
    }
    if (retailerId !== null) {
      const [retailer] = await findRetailers(trx, [retailerId], {})
      const earlierId = await find({ action: `retailer.${VERB}`, subjectId: retailerId })
      const write = { verb: VERB, actor: null, earlierId } as const
      if (retailer) return recordRetailerAudit(trx, deps, retailer, write)
    }
    const earlierId = await find({ action: 'user.sign-in-failed', subjectId: null })
    return recordAudit(trx, deps, { action: 'user.sign-in-failed', actor: null, earlierId })
  })
}
