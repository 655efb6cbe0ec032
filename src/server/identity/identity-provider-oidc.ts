import * as oidc from 'openid-client'
import type { Logger } from 'pino'

import { MINUTE_MS, SECOND_MS } from '../../shared/durations'
import { DomainError } from '../domain/errors'
import { readIdentity } from './claims'
import type { Identity, IdentityProvider, SignInRequest } from './identity-provider'

export type OidcSettings = { issuer: string; clientId: string; clientSecret: string }

const SCOPE = 'openid email profile'
const TIMEOUT_SECONDS = 10
/** Parameters by which a person signs in even when signed in at the issuer, and that it tells when. */
const ANEW = { prompt: 'login', max_age: '0' }
/** How far the issuer's clock may differ. */
const CLOCK_TOLERANCE_MS = MINUTE_MS

/** Any OpenID Connect issuer: authorization code flow with PKCE, state and nonce. */
export function createOidcProvider(settings: OidcSettings, logger: Logger): IdentityProvider {
  let discovery: Promise<oidc.Configuration> | undefined

  /** Fetches the issuer's configuration when it is first needed, and again after a failure. */
  async function discover(): Promise<oidc.Configuration> {
    try {
      discovery ??= readConfiguration(settings)
      return await discovery
    } catch (error) {
      discovery = undefined
      logger.warn({ reason: reasonOf(error) }, 'The identity provider cannot be used')
      throw unreachable()
    }
  }

  return {
    async begin(redirectUri, { isAnew }) {
      const configuration = await discover()
      const request = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: request.state,
        nonce: request.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(request.codeVerifier),
        code_challenge_method: 'S256',
        ...(isAnew && ANEW),
      })
      return { url: url.href, request }
    },

    async verify(callbackUrl, request, since) {
      const configuration = await discover()
      try {
        return await exchange(configuration, callbackUrl, request, since)
      } catch (error) {
        if (error instanceof DomainError) throw error
        logger.warn({ reason: reasonOf(error) }, 'A sign-in at the identity provider failed')
        throw describe(error)
      }
    },
  }
}

function readConfiguration({ issuer, clientId, clientSecret }: OidcSettings) {
  const url = new URL(issuer)
  const authenticate: oidc.ClientAuth = (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? []
    const isPosted = methods.includes('client_secret_post')
    const method = isPosted ? oidc.ClientSecretPost : oidc.ClientSecretBasic
    method(clientSecret)(server, ...rest)
  }
  return oidc.discovery(url, clientId, clientSecret, authenticate, {
    timeout: TIMEOUT_SECONDS,
    execute: [
      // Otherwise the library trusts the TLS connection and does not check the token's signature.
      oidc.enableNonRepudiationChecks,
      // Our configuration accepts http for an issuer on this machine only, for demos and tests.
      ...(url.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
    ],
  })
}

/** Exchanges the code for tokens; the library checks issuer, audience, expiry, nonce and signature. */
async function exchange(
  configuration: oidc.Configuration,
  callbackUrl: URL,
  { state, nonce, codeVerifier }: SignInRequest,
  since: number | undefined,
): Promise<Identity> {
  const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw unverifiable()
  if (since !== undefined && isEarlier(claims.auth_time, since)) throw notAnew()
  // Many issuers return email and profile from their userinfo endpoint only.
  const isElsewhere =
    claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
  const profile = isElsewhere
    ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : claims
  return { issuer: claims.iss, subject: claims.sub, ...readIdentity(profile) }
}

const isEarlier = (authTime: number | undefined, since: number) =>
  authTime !== undefined && authTime * SECOND_MS < since - CLOCK_TOLERANCE_MS

const notAnew = () =>
  new DomainError(
    'UNAUTHENTICATED',
    'You were signed in at the identity provider already. Sign in there anew.',
  )

const unreachable = () =>
  new DomainError(
    'UNAVAILABLE',
    'The identity provider could not be reached. Try again in a moment.',
  )

const unverifiable = () =>
  new DomainError('UNAUTHENTICATED', 'The answer of the identity provider could not be verified.')

const UNREACHABLE_CODES = new Set(['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM'])

function describe(error: unknown): DomainError {
  if (error instanceof oidc.AuthorizationResponseError) {
    return error.error === 'access_denied'
      ? new DomainError('FORBIDDEN', 'The sign-in was cancelled at the identity provider.')
      : new DomainError('UNAUTHENTICATED', 'The identity provider refused the sign-in.')
  }
  if (error instanceof oidc.ResponseBodyError) {
    return new DomainError('UNAUTHENTICATED', 'The identity provider refused the sign-in.')
  }
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed'
  const code = error instanceof oidc.ClientError ? error.code : undefined
  return isNetwork || UNREACHABLE_CODES.has(code ?? '') ? unreachable() : unverifiable()
}

/** For the log: the library's errors contain tokens and codes, so only their fixed texts are used. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof oidc.ResponseBodyError) return `${error.message}: ${error.error}`
  const { cause } = error
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message
}
