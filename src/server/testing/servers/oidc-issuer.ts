import { createHash, createHmac, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'

import { closeServer, listenOnLoopback } from './loopback'

type Claims = Record<string, unknown>

/** How an issuer deviates from correct behaviour. */
export type Answer = {
  /** Replaces claims of the ID token; undefined omits a claim. */
  claims?: Claims
  /** The response of the userinfo endpoint. */
  userinfo?: Claims
  signature?: 'another key' | 'none' | 'HS256 with the client secret' | 'cut off'
  /** Replaces parameters of the callback URL. */
  parameters?: Record<string, string>
  /** Accepts a code more than once. */
  isForgetful?: boolean
}

export type OidcIssuer = Awaited<ReturnType<typeof startOidcIssuer>>

/** The person who signs in by default. */
export const PERSON = {
  sub: 'subject-1',
  email: 'nora.beck@northbeck.example',
  email_verified: true,
  name: 'Nora Beck',
  picture: 'https://pictures.example/nora.png',
}

/** How a client authenticates at the token endpoint. */
type ClientAuthentication = 'client_secret_post' | 'client_secret_basic'

type Grant = { request: URLSearchParams; answer: Answer; isUsed: boolean }

const CLIENT = { clientId: 'stockbridge', clientSecret: 'the client secret of a test' }
const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
const OTHER_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** Starts an OpenID Connect issuer whose misbehaviour can be controlled. */
export async function startOidcIssuer(authentication: ClientAuthentication = 'client_secret_post') {
  const grants = new Map<string, Grant>()
  let failure: number | undefined
  let claimed: string | undefined
  const server = createServer((request, response) => {
    if (failure) response.writeHead(failure).end()
    else void serve({ issuer, claimed, authentication, grants }, request, response)
  })
  const issuer = `http://127.0.0.1:${await listenOnLoopback(server)}`
  return {
    settings: { issuer, ...CLIENT },
    /** The callback URL for `authorizationUrl`, once the person has signed in at the issuer. */
    answer(authorizationUrl: string, answer: Answer = {}): URL {
      const request = new URL(authorizationUrl).searchParams
      const code = randomUUID()
      grants.set(code, { request, answer, isUsed: false })
      const url = new URL(request.get('redirect_uri') ?? '')
      const parameters = { code, state: request.get('state') ?? '', iss: issuer }
      url.search = new URLSearchParams({ ...parameters, ...answer.parameters }).toString()
      return url
    },
    /** Responds to everything with this status from now on; undefined restores normal behaviour. */
    failWith: (status: number | undefined) => void (failure = status),
    /** Names another issuer in its metadata from now on. */
    claimToBe: (other: string) => void (claimed = other),
    close: () => closeServer(server),
  }
}

type State = {
  issuer: string
  /** Another one that it says to be. */
  claimed: string | undefined
  authentication: ClientAuthentication
  grants: Map<string, Grant>
}

async function serve(
  { issuer, claimed, authentication, grants }: State,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (body: object, status = 200) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  switch (request.url) {
    case '/.well-known/openid-configuration':
      return void send({
        ...describeIssuer(issuer, authentication),
        ...(claimed !== undefined && { issuer: claimed }),
      })
    case '/keys':
      return void send({
        keys: [{ ...KEY.publicKey.export({ format: 'jwk' }), kid: 'key', use: 'sig' }],
      })
    case '/token': {
      const body = new URLSearchParams(await readText(request))
      const grant = grants.get(body.get('code') ?? '')
      const isClient =
        readClient(request, body, authentication) === `${CLIENT.clientId}:${CLIENT.clientSecret}`
      if (!grant || !isClient || !isValid(grant, body))
        return void send({ error: 'invalid_grant' }, 400)
      grant.isUsed = true
      return void send({
        access_token: body.get('code'),
        token_type: 'Bearer',
        expires_in: 60,
        id_token: makeIdToken(issuer, grant),
      })
    }
    case '/userinfo': {
      const code = request.headers.authorization?.replace('Bearer ', '') ?? ''
      return void send({ sub: PERSON.sub, ...grants.get(code)?.answer.userinfo })
    }
    default:
      return void send({}, 404)
  }
}

const describeIssuer = (issuer: string, authentication: ClientAuthentication) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: [authentication],
  authorization_response_iss_parameter_supported: true,
  // Advertises insecure algorithms too, which clients must not accept.
  id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
})

function isValid({ request, answer, isUsed }: Grant, body: URLSearchParams): boolean {
  const challenge = createHash('sha256')
    .update(body.get('code_verifier') ?? '')
    .digest('base64url')
  return (
    (!isUsed || answer.isForgetful === true) &&
    body.get('redirect_uri') === request.get('redirect_uri') &&
    challenge === request.get('code_challenge')
  )
}

/** The client's id and secret, from the authentication method that the issuer supports. */
function readClient(
  { headers }: IncomingMessage,
  body: URLSearchParams,
  authentication: ClientAuthentication,
): string {
  if (authentication === 'client_secret_post') {
    return `${body.get('client_id')}:${body.get('client_secret')}`
  }
  const credentials = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64')
  return decodeURIComponent(credentials.toString().replaceAll('+', ' '))
}

function makeIdToken(issuer: string, { request, answer }: Grant): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    aud: CLIENT.clientId,
    iat: now,
    exp: now + 60,
    nonce: request.get('nonce'),
    ...PERSON,
    ...answer.claims,
  }
  const isNone = answer.signature === 'none'
  const isSymmetric = answer.signature === 'HS256 with the client secret'
  const header = isNone ? { alg: 'none' } : { alg: isSymmetric ? 'HS256' : 'RS256', kid: 'key' }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${signatureOf(signed, answer.signature)}`
}

function signatureOf(text: string, how: Answer['signature']): string {
  if (how === 'none' || how === 'cut off') return ''
  if (how === 'HS256 with the client secret') {
    return createHmac('sha256', CLIENT.clientSecret).update(text).digest('base64url')
  }
  const { privateKey } = how === 'another key' ? OTHER_KEY : KEY
  return sign('sha256', Buffer.from(text), privateKey).toString('base64url')
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
