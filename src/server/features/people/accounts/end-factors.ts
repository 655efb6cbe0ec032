import type { AuditAction } from '../../../../shared/audit-actions'
import type { WriteTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { recordUserAudit } from '../audit/record-audit'
import { deleteFactorsOf } from './factors.queries'
import type { UserRecord } from './users.queries'

/**
 * Turns off the second factor of somebody who has lost it, and removes the passkeys, which were lost with it or are
 * with whoever has it now. Both are told.
 * @returns false when there was neither
 */
export async function endFactorsOf(
  trx: WriteTransaction,
  deps: Deps,
  person: UserRecord,
  actions: { factor: AuditAction; passkeys: AuditAction },
): Promise<boolean> {
  const { hadSecondFactor, passkeyNames: keyNames } = await deleteFactorsOf(trx, person.id)
  if (hadSecondFactor) {
    await recordUserAudit(trx, deps, person, { action: actions.factor })
    await deps.tellPerson(trx, deps, person, { kind: 'account.second-factor-off' })
  }
  if (keyNames.length > 0) {
    const before = { passkeys: keyNames }
    await recordUserAudit(trx, deps, person, { action: actions.passkeys, before })
    const details = { keyNames }
    await deps.tellPerson(trx, deps, person, { kind: 'account.passkeys-removed', details })
  }
  return hadSecondFactor || keyNames.length > 0
}
