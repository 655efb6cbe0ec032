import { isLoopback } from '../web-address'

type IssuerVariables = { OIDC_ISSUER?: string | undefined; OIDC_ALLOW_LOOPBACK: boolean }

/** Demos and tests may use http for an issuer on loopback, with OIDC_ALLOW_LOOPBACK. */
export function isTrustworthyIssuer({
  OIDC_ISSUER = '',
  OIDC_ALLOW_LOOPBACK,
}: IssuerVariables): boolean {
  if (!URL.canParse(OIDC_ISSUER)) return true
  const { protocol, hostname } = new URL(OIDC_ISSUER)
  return protocol !== 'http:' || (OIDC_ALLOW_LOOPBACK && isLoopback(hostname))
}

type OidcVariables = {
  OIDC_ISSUER?: string | undefined
  OIDC_CLIENT_ID?: string | undefined
  OIDC_CLIENT_SECRET?: string | undefined
}

/** Returns undefined when no identity provider is configured. */
export function toOidcSettings(env: OidcVariables) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined
}
