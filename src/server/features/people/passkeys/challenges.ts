import { MINUTE_MS } from '../../../../shared/durations'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { SealError } from '../../../secrets/secret-box'

/** How long a challenge can be answered, and the browser asks for it. */
export const CHALLENGE_MS = 5 * MINUTE_MS

/** What an answer is for: nobody can use one for something else, or in another session. */
export type ChallengePurpose =
  | { kind: 'sign-in' }
  | { kind: 'add' | 'confirm'; userId: number; sessionIdHash: string }

/** Until when challenges can have been made by now, also by a process whose clock is ahead. */
export const latestChallenge = (now: number) => now + CHALLENGE_MS

/** A challenge that carries when it was made, encrypted; that it is answered once is checked with the passkey. */
export const makeChallenge = (
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  purpose: ChallengePurpose,
): string => secrets.seal(String(clock.now()), placeOf(purpose))

/**
 * When a challenge was made.
 * @param challenge as the browser says that it was asked, in base64url; it may say anything
 * @throws DomainError INVALID for one that is older than five minutes, or was made for something else
 */
export function readChallenge(
  { secrets, clock }: Pick<Deps, 'secrets' | 'clock'>,
  purpose: ChallengePurpose,
  challenge: unknown,
): number {
  const now = clock.now()
  const madeAt = openChallenge(secrets, purpose, challenge)
  if (now < madeAt + CHALLENGE_MS && madeAt <= latestChallenge(now)) return madeAt
  throw challengeEnded()
}

function openChallenge(secrets: Deps['secrets'], purpose: ChallengePurpose, challenge: unknown) {
  if (typeof challenge !== 'string') throw challengeEnded()
  try {
    return Number(secrets.open(Buffer.from(challenge, 'base64url').toString(), placeOf(purpose)))
  } catch (error) {
    if (error instanceof SealError) throw challengeEnded()
    throw error
  }
}

const placeOf = (purpose: ChallengePurpose) =>
  purpose.kind === 'sign-in'
    ? 'challenge of a sign-in'
    : `challenge to ${purpose.kind} of user ${purpose.userId} in ${purpose.sessionIdHash}`

export const challengeEnded = () =>
  new DomainError('INVALID', 'This took too long, or was answered already. Try again.')
