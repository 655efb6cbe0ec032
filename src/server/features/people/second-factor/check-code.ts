import { inTransaction, type WriteTransaction } from '../../../db/open'
import { countAttempts, toKey, type Attempt } from '../../../domain/attempts'
import { deleteAttempts, deleteAttemptsOf } from '../../../domain/attempts.queries'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { SealError } from '../../../secrets/secret-box'
import { isAddressKnown } from '../accounts/login-attempts'
import type { UserRecord } from '../accounts/users.queries'
import { recordUserAudit } from '../audit/record-audit'
import { bareCode, hashRecoveryCode } from './recovery-codes'
import { openKey } from './seal-keys'
import { findSecondFactor, takeCodeOf, takeRecoveryCode } from './second-factors.queries'
import { findCodeEnd, latestCodeEnd } from './totp'

/**
 * Whether a code is one of the person's app or one of its recovery codes, which then works no more. Every attempt
 * counts as a failure until it has succeeded, as those of passwords do: nobody can lock the person out, whose known
 * addresses are limited by themselves.
 * @throws DomainError THROTTLED after too many wrong codes; UNAVAILABLE when the key cannot be decrypted
 */
export async function isRightCode(
  deps: Deps,
  person: UserRecord,
  code: string,
  address: string,
): Promise<boolean> {
  const isExempt = await isAddressKnown(deps, person.id, address)
  const fromAddress: Attempt = { limit: 'codeFromAddress', subject: `${person.id} ${address}` }
  const counted = await countAttempts(deps, [
    fromAddress,
    { limit: 'codeToAccount', subject: person.id, isExempt },
    { limit: 'codeAtAddress', subject: address },
    { limit: 'codes', subject: 'all', isExempt },
  ])
  return inTransaction(deps.db, async (trx) => {
    if (!(await takeCode(trx, deps, person, code))) return false
    await deleteAttempts(trx, counted)
    await deleteAttemptsOf(trx, toKey(fromAddress))
    return true
  })
}

async function takeCode(
  trx: WriteTransaction,
  deps: Deps,
  person: UserRecord,
  code: string,
): Promise<boolean> {
  const factor = await findSecondFactor(trx, person.id)
  if (!factor) return false
  const bare = bareCode(code)
  if (/^\d*$/.test(bare)) {
    const now = deps.clock.now()
    const end = findCodeEnd(requireKey(deps, factor), bare, now)
    return end !== undefined && takeCodeOf(trx, person.id, { end, latest: latestCodeEnd(now) })
  }
  if (!(await takeRecoveryCode(trx, person.id, hashRecoveryCode(code)))) return false
  await recordUserAudit(trx, deps, person, { action: 'user.use-recovery-code', actor: person })
  await deps.tellPerson(trx, deps, person, { kind: 'account.recovery-code-used' })
  return true
}

function requireKey(deps: Deps, factor: Parameters<typeof openKey>[1]): string {
  try {
    return openKey(deps.secrets, factor)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new DomainError(
      'UNAVAILABLE',
      'The server lacks the key to check this code. Use a recovery code, or ask the administrator.',
      { cause: error },
    )
  }
}
