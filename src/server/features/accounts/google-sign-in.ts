import type { GoogleIdentity } from '../../../shared/schemas/user'
import { inTransaction } from '../../db/open'
import type { GoogleSignInRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import type { Identity, IdentityProvider } from '../../identity/identity-provider'
import {
  deleteGoogleSignIn,
  findGoogleSignIn,
  replaceGoogleSignIn,
  updateGoogleSignIn,
} from './google-sign-ins.queries'
import { findSession } from './sessions.queries'

const REQUEST_LIFETIME_MS = 10 * 60_000
const IDENTITY_LIFETIME_MS = 5 * 60_000
/** How long a session that belongs to nobody yet is needed. */
export const GOOGLE_SIGN_IN_LIFETIME_MS = REQUEST_LIFETIME_MS + IDENTITY_LIFETIME_MS

function requireIdentityProvider(deps: Deps): IdentityProvider {
  if (deps.identityProvider) return deps.identityProvider
  throw new DomainError('NOT_CONFIGURED', 'No identity provider is configured on this server.')
}

/**
 * Begins a sign-in in this session, and cancels the one that was under way in it.
 * @param attempt what the page calls the sign-in that opened a window for it
 * @returns the provider's address to send the person to
 */
export async function beginGoogleSignIn(
  deps: Deps,
  sessionIdHash: string,
  { attempt, redirectUri }: { attempt: string; redirectUri: string },
): Promise<string> {
  const { url, request } = await requireIdentityProvider(deps).begin(redirectUri)
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    // A sign-in in another tab may have ended the session while the provider was asked.
    if (!(await findSession(trx, sessionIdHash, now))) throw over()
    await replaceGoogleSignIn(trx, {
      ...request,
      sessionIdHash,
      attempt,
      answeredAt: null,
      identity: null,
      expiresAt: now + REQUEST_LIFETIME_MS,
    })
  })
  return url
}

/**
 * Uses up the state of a provider's answer, once and in the session that asked alone.
 * @throws DomainError INVALID for any other: what it brings may be somebody else's identity
 */
export function takeGoogleRequest(
  deps: Deps,
  sessionIdHash: string,
  state: string | null,
): Promise<GoogleSignInRow> {
  requireIdentityProvider(deps)
  return inTransaction(deps.db, async (trx) => {
    const signIn = await findGoogleSignIn(trx, sessionIdHash)
    if (!signIn || signIn.state !== state || signIn.answeredAt !== null) throw over()
    await updateGoogleSignIn(trx, sessionIdHash, { answeredAt: deps.clock.now() })
    return signIn
  })
}

/** Checks the provider's answer and keeps the identity for the session's page to sign in with. */
export async function finishGoogleSignIn(
  deps: Deps,
  signIn: GoogleSignInRow,
  answer: URL,
): Promise<GoogleIdentity> {
  if (signIn.expiresAt <= deps.clock.now()) throw over()
  const identity = await requireIdentityProvider(deps).verify(answer, signIn)
  await inTransaction(deps.db, async (trx) => {
    const current = await findGoogleSignIn(trx, signIn.sessionIdHash)
    if (current?.state !== signIn.state) throw over()
    await updateGoogleSignIn(trx, signIn.sessionIdHash, {
      identity,
      expiresAt: deps.clock.now() + IDENTITY_LIFETIME_MS,
    })
  })
  return {
    uid: identity.subject,
    email: identity.email,
    displayName: identity.name,
    photoURL: identity.pictureUrl,
  }
}

/**
 * The identity that waits in this session; it is gone then, whatever becomes of it.
 * @throws DomainError UNAUTHENTICATED without one: what a request says of itself signs nobody in
 */
export async function takeGoogleIdentity(deps: Deps, sessionIdHash: string): Promise<Identity> {
  requireIdentityProvider(deps)
  const signIn = await inTransaction(deps.db, async (trx) => {
    const found = await findGoogleSignIn(trx, sessionIdHash)
    if (found?.identity) await deleteGoogleSignIn(trx, sessionIdHash)
    return found
  })
  if (!signIn?.identity || signIn.expiresAt <= deps.clock.now()) {
    throw new DomainError('UNAUTHENTICATED', 'The sign-in with Google is over. Try again.')
  }
  return signIn.identity
}

const over = () =>
  new DomainError('INVALID', 'This sign-in has expired, or a newer one took its place. Try again.')
