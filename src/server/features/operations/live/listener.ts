import { isViewed, personOf, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { findActing } from '../../people/accounts/signed-in'

/** A user who listens, and the session whose end ends the stream. */
export type Listener = { actor: Actor; sessionHash: string }

/** False after signing out, a new password, deactivation, the session's expiry, or another view. */
export async function isSignedIn(deps: Deps, { actor, sessionHash }: Listener): Promise<boolean> {
  const known = await deps.signedIn.find(sessionHash)
  const current = findActing(known, personOf(actor).sessionEpoch, deps.clock.now())
  return current?.id === actor.id && isViewed(current) === isViewed(actor)
}

/** The topics of what may change the answer of `isSignedIn`. */
export const listSignInTopics = ({ actor, sessionHash }: Listener): string[] => [
  `session ${sessionHash}`,
  `user ${personOf(actor).id}`,
  `user ${actor.id}`,
]
