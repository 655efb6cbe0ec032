import { inTransaction, type WriteTransaction } from '../../../db/open'
import { selfOf, type Actor } from '../../../domain/actor'
import { countAttempts, toKey, type Attempt } from '../../../domain/attempts'
import { deleteAttemptsOf } from '../../../domain/attempts.queries'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { Identity } from '../../../identity/identity-provider'
import { knownRequester } from '../accounts/passwords'
import { findPersonByIdentity } from '../accounts/persons.queries'
import { findSession, updateSession } from '../accounts/sessions.queries'
import { findPasswordHash } from '../accounts/users.queries'
import { recordUserAudit } from '../audit/record-audit'

/**
 * Confirms by the own password who uses a session.
 * @throws DomainError INVALID for a wrong password, and without one; THROTTLED after too many wrong ones
 */
export async function confirmByPassword(
  deps: Deps,
  actor: Actor,
  password: string,
  from: { sessionIdHash: string; address: string },
): Promise<void> {
  const self = selfOf(actor)
  const attempt: Attempt = { limit: 'confirm', subject: self.id }
  const hash = await findPasswordHash(deps.db, self.id)
  const count = () => countAttempts(deps, [attempt])
  if (!(await deps.passwords.verify(knownRequester(self, from.address), hash, password, count))) {
    throw new DomainError('INVALID', 'This is not your password', { field: 'password' })
  }
  await setConfirmed(deps, actor, from.sessionIdHash, (trx) =>
    // The password was right, so the earlier failures were not guesses.
    deleteAttemptsOf(trx, toKey(attempt)),
  )
}

/**
 * Confirms by a sign-in at the identity provider who uses a session.
 * @throws DomainError INVALID when somebody else has signed in there
 */
export async function confirmByIdentity(
  deps: Deps,
  actor: Actor,
  identity: Identity,
  sessionIdHash: string,
): Promise<void> {
  const person = await findPersonByIdentity(deps.db, identity)
  if (person?.id !== selfOf(actor).id) {
    throw new DomainError('INVALID', 'This is not the Google account that you sign in with here')
  }
  await setConfirmed(deps, actor, sessionIdHash)
}

/** Notes in a session that its person is there. */
export async function setConfirmed(
  deps: Deps,
  actor: Actor,
  sessionIdHash: string,
  also: (trx: WriteTransaction) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const confirmedAt = deps.clock.now()
    // Ended meanwhile.
    if (!(await findSession(trx, sessionIdHash, confirmedAt))) {
      throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    }
    await also(trx)
    await updateSession(trx, sessionIdHash, { confirmedAt })
    await recordUserAudit(trx, deps, selfOf(actor), { action: 'user.confirm' })
  })
}
