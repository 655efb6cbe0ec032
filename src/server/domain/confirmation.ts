import { MINUTE_MS } from '../../shared/durations'
import type { Deps } from './deps'
import { DomainError } from './errors'

/** How long somebody counts as confirmed, in the session in which it was done. */
const CONFIRMED_MS = 10 * MINUTE_MS

/**
 * Whether whoever uses a session has lately proved to be its person; signing in with a password does.
 * @throws DomainError FORBIDDEN with the reason `confirmation_required`
 */
export async function requireConfirmed(
  { signedIn, clock }: Pick<Deps, 'signedIn' | 'clock'>,
  sessionIdHash: string,
): Promise<void> {
  const known = await signedIn.find(sessionIdHash)
  const confirmedAt = known?.session.confirmedAt ?? null
  const now = clock.now()
  if (confirmedAt !== null && confirmedAt <= now && now < confirmedAt + CONFIRMED_MS) return
  throw new DomainError('FORBIDDEN', 'Confirm first that it is you', {
    reason: 'confirmation_required',
  })
}
