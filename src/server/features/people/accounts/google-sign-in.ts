import { MINUTE_MS } from '../../../../shared/durations'
import type { GoogleIdentity } from '../../../../shared/schemas/user'
import { inTransaction } from '../../../db/open'
import type { GoogleSignInRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import type { Identity, IdentityProvider } from '../../../identity/identity-provider'
import {
  deleteGoogleSignIn,
  findGoogleSignIn,
  replaceGoogleSignIn,
  updateGoogleSignIn,
} from './google-sign-ins.queries'
import { findSession } from './sessions.queries'

const REQUEST_LIFETIME_MS = 10 * MINUTE_MS
const IDENTITY_LIFETIME_MS = 5 * MINUTE_MS
/** How long an anonymous session is needed for a sign-in with Google. */
export const GOOGLE_SIGN_IN_LIFETIME_MS = REQUEST_LIFETIME_MS + IDENTITY_LIFETIME_MS

function requireIdentityProvider(deps: Deps): IdentityProvider {
  if (deps.identityProvider) return deps.identityProvider
  throw new DomainError('NOT_CONFIGURED', 'No identity provider is configured on this server.')
}

/**
 * Begins a sign-in in this session and cancels any earlier one.
 * @param attempt the id that the page gave the sign-in when it opened the window
 * @returns the provider's URL to redirect to
 * @throws DomainError INVALID when the session ended meanwhile; NOT_CONFIGURED without a provider
 */
export async function beginGoogleSignIn(
  deps: Deps,
  sessionIdHash: string,
  {
    attempt,
    redirectUri,
    isConfirmation,
  }: { attempt: string; redirectUri: string; isConfirmation: boolean },
): Promise<string> {
  const { url, request } = await requireIdentityProvider(deps).begin(redirectUri, {
    isAnew: isConfirmation,
  })
  await inTransaction(deps.db, async (trx) => {
    const now = deps.clock.now()
    // A sign-in in another tab may have ended the session while the provider was contacted.
    if (!(await findSession(trx, sessionIdHash, now))) throw signInExpired()
    await replaceGoogleSignIn(trx, {
      ...request,
      sessionIdHash,
      attempt,
      isConfirmation,
      answeredAt: null,
      identity: null,
      expiresAt: now + REQUEST_LIFETIME_MS,
    })
  })
  return url
}

/**
 * Accepts the `state` of a provider's callback: once, and only in the session that began the
 * sign-in.
 * @throws DomainError INVALID for any other state, since the callback may carry a stranger's
 *   identity
 */
export function takeGoogleRequest(
  deps: Deps,
  sessionIdHash: string,
  state: string | null,
): Promise<GoogleSignInRow> {
  requireIdentityProvider(deps)
  return inTransaction(deps.db, async (trx) => {
    const signIn = await findGoogleSignIn(trx, sessionIdHash)
    if (!signIn || signIn.state !== state || signIn.answeredAt !== null) throw signInExpired()
    await updateGoogleSignIn(trx, sessionIdHash, { answeredAt: deps.clock.now() })
    return signIn
  })
}

/**
 * Verifies the provider's callback and stores the identity, for the page of this session to sign in
 * with.
 * @throws DomainError INVALID when the sign-in has expired or a newer one has replaced it
 */
export async function finishGoogleSignIn(
  deps: Deps,
  signIn: GoogleSignInRow,
  callbackUrl: URL,
): Promise<GoogleIdentity> {
  if (signIn.expiresAt <= deps.clock.now()) throw signInExpired()
  const begunAt = signIn.expiresAt - REQUEST_LIFETIME_MS
  const identity = await requireIdentityProvider(deps).verify(
    callbackUrl,
    signIn,
    signIn.isConfirmation ? begunAt : undefined,
  )
  await inTransaction(deps.db, async (trx) => {
    const current = await findGoogleSignIn(trx, signIn.sessionIdHash)
    if (current?.state !== signIn.state) throw signInExpired()
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
 * Removes and returns the identity stored for this session; it can be used once, even if the
 * sign-in then fails, and only for what the provider was asked for.
 * @throws DomainError UNAUTHENTICATED when there is none, or it has expired: what a request claims
 *   about itself is never enough to sign in
 */
export async function takeGoogleIdentity(
  deps: Deps,
  sessionIdHash: string,
  { isConfirmation } = { isConfirmation: false },
): Promise<Identity> {
  requireIdentityProvider(deps)
  const signIn = await inTransaction(deps.db, async (trx) => {
    const found = await findGoogleSignIn(trx, sessionIdHash)
    if (found?.isConfirmation !== isConfirmation) return undefined
    if (found.identity) await deleteGoogleSignIn(trx, sessionIdHash)
    return found
  })
  if (!signIn?.identity || signIn.expiresAt <= deps.clock.now()) {
    // Who is signed in stays so when a confirmation fails.
    const code = isConfirmation ? 'INVALID' : 'UNAUTHENTICATED'
    throw new DomainError(code, 'The sign-in with Google has expired. Try again.')
  }
  return signIn.identity
}

const signInExpired = () =>
  new DomainError('INVALID', 'This sign-in has expired, or a newer one has replaced it. Try again.')
