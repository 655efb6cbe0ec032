import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Configuration, interactionPolicy, Provider } from 'oidc-provider'

import { DomainError } from '../src/server/domain/errors'
import { codeOf } from '../src/server/process/error-code'
import { renderChooser, type Person } from './demo-issuer-page'

/** A real OpenID Connect issuer on loopback, for the demo and tests. */
export type DemoIssuer = {
  issuer: string
  clientId: string
  clientSecret: string
  close(): Promise<void>
}

const CLIENT_ID = 'stockbridge'
const SCOPE = 'openid email profile'
const CALLBACK_PATH = '/api/auth/google/callback'
const HOUR_SECONDS = 3_600
const CHOOSER = /^\/choose\/[\w-]+$/

/**
 * Starts an issuer whose sign-in page offers `people` to choose from, without passwords.
 * @param port 0 is any that is free
 */
export async function startDemoIssuer(people: readonly Person[], port = 0): Promise<DemoIssuer> {
  const clientSecret = randomBytes(32).toString('base64url')
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = await createProvider(issuer, clientSecret, people)
  const handleRequest = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (CHOOSER.test(request.url ?? '')) {
      choose(provider, people, request, response).catch(() => response.writeHead(400).end())
    } else void handleRequest(request, response)
  })
  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Silences the library's warnings about in-memory storage and the Node version. */
async function createProvider(issuer: string, clientSecret: string, people: readonly Person[]) {
  const { warn } = console
  console.warn = () => undefined
  try {
    const { interactionPolicy: policies, Provider: OidcProvider } = await importProvider()
    return new OidcProvider(issuer, configure(clientSecret, people, alwaysAsk(policies)))
  } finally {
    console.warn = warn
  }
}

async function importProvider() {
  try {
    return await import('oidc-provider')
  } catch (cause) {
    if (codeOf(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    const message = 'The demo needs packages that --omit=dev leaves out: run npm ci --include=dev.'
    throw new DomainError('NOT_CONFIGURED', message, { cause })
  }
}

function configure(
  clientSecret: string,
  people: readonly Person[],
  policy: interactionPolicy.DefaultPolicy,
): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        // For a native client the issuer accepts any port of a loopback redirect URI.
        application_type: 'native',
        redirect_uris: ['localhost', '127.0.0.1'].map((host) => `http://${host}${CALLBACK_PATH}`),
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context, subject) => {
      const person = people.find((candidate) => candidate.subject === subject)
      return person && { accountId: subject, claims: () => toClaims(person) }
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/choose/${uid}`, policy },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 60,
      Interaction: HOUR_SECONDS,
      Grant: HOUR_SECONDS,
      Session: HOUR_SECONDS,
    },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope(SCOPE)
      await grant.save()
      return grant
    },
  }
}

const toClaims = ({ subject, name, email, isVerified = true }: Person) => ({
  sub: subject,
  name,
  email,
  email_verified: isVerified,
})

/** Always asks for an account, even with an existing session, and never for consent. */
function alwaysAsk({ base, Check }: typeof interactionPolicy) {
  const policy = base()
  policy.remove('consent')
  policy
    .get('login')
    ?.checks.add(
      new Check('choose', 'An account must be chosen', ({ oidc }) =>
        oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    )
  return policy
}

/** GET serves the sign-in page; POST completes the sign-in with the chosen account. */
async function choose(
  provider: Provider,
  people: readonly Person[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(renderChooser(people))
    return
  }
  const accountId = new URLSearchParams(await readText(request)).get('subject')
  const result = accountId ? { login: { accountId } } : { error: 'access_denied' }
  await provider.interactionFinished(request, response, result)
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
