import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { KEY_PREFIX } from '../../../shared/api-keys'
import { keyAccess, type KeyAccess } from '../../api/key-access'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError, notFound, type RefusalReason } from '../../domain/errors'
import { requireFactorSetUp } from '../../domain/factor-setup'
import { isInNetworks } from '../../domain/networks'
import { hashSecretToken } from '../../domain/secret-token'
import { noteApiKeyUse, type ApiKeyCaller } from '../../features/people/api-keys/api-key-callers'
import type { CallLimits } from '../guards/call-limits'
import { readClientAddress } from './client-address'
import { cookieName, readSender } from './session'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the API key of the request acts for; null without one. */
    keyActor: Actor | null
  }
}

const BEARER = /^bearer +(\S{1,200})$/i

/** The API key of a request; undefined without one, also where a proxy has put something else into the header. */
export function readApiKey({ headers: { authorization = '' } }: Pick<FastifyRequest, 'headers'>) {
  const [, token = ''] = BEARER.exec(authorization) ?? []
  return token.startsWith(KEY_PREFIX) ? token : undefined
}

/**
 * Lets programs call the REST API by a key, in place of a session. Pages and addresses with a secret of their own do
 * not look at it.
 */
export function registerApiKeys(app: FastifyInstance, deps: Deps, limits: CallLimits): void {
  app.decorateRequest('keyActor', null)
  app.addHook('onRequest', async (request, reply) => {
    const token = readApiKey(request)
    const { url = '' } = request.routeOptions
    if (token === undefined || !/^\/(?:api|trpc)\//.test(url)) return
    request.keyActor = await authenticate(deps, limits, { request, reply, token })
  })
}

type Key = ApiKeyCaller['key']
type Presented = { request: FastifyRequest; reply: FastifyReply; token: string }

async function authenticate(
  deps: Deps,
  limits: CallLimits,
  { request, reply, token }: Presented,
): Promise<Actor> {
  if (request.cookies[cookieName(deps)] !== undefined) {
    throw refusal('INVALID', 'key_with_cookie', 'Send a key or the cookie of a session, not both')
  }
  const access = findAccess(request)
  if (access === undefined) {
    reply.header('www-authenticate', CHALLENGE)
    throw refusal('UNAUTHENTICATED', 'key_not_accepted', 'Keys are for the calls below /api')
  }
  const address = readClientAddress(request)
  const caller = await deps.apiKeys.find(hashSecretToken(token))
  if (!caller?.actor) {
    limits.wrongKeysFromAddress.count(address, 1)
    limits.wrongKeys.count('all', 1)
    reply.header('www-authenticate', CHALLENGE)
    throw refusal('UNAUTHENTICATED', 'key_unknown', 'This key does not exist, or has ended')
  }
  const { key, actor } = caller
  if (key.expiresAt !== null && key.expiresAt <= deps.clock.now()) {
    reply.header('www-authenticate', CHALLENGE)
    throw refusal('UNAUTHENTICATED', 'key_expired', 'This key has expired')
  }
  requireFactorSetUp(deps, actor)
  if (key.networks.length > 0 && !isInNetworks(request.ip, key.networks)) {
    throw refusal('FORBIDDEN', 'key_network', 'This key may not be used from this address')
  }
  requireAccess(key, access, request)
  await noteUse(deps, key, request)
  return actor
}

const CHALLENGE = 'Bearer error="invalid_token"'

const refusal = (
  code: 'INVALID' | 'UNAUTHENTICATED' | 'FORBIDDEN',
  reason: RefusalReason,
  message: string,
) => new DomainError(code, message, { reason })

/** Which keys reach the route of a request: null for none, undefined for what is not of the REST API. */
function findAccess({ method, routeOptions }: FastifyRequest): KeyAccess | null | undefined {
  const { url = '' } = routeOptions
  if (!url.startsWith('/api/')) return undefined
  const address = `${method === 'HEAD' ? 'GET' : method} ${url}`
  return Object.hasOwn(keyAccess, address) ? keyAccess[address as keyof typeof keyAccess] : null
}

/** @throws DomainError FORBIDDEN without one of the scopes; NOT_FOUND for another object than the key is limited to */
function requireAccess(key: Key, access: KeyAccess | null, { params }: FastifyRequest): void {
  if (!access) {
    throw refusal(
      'FORBIDDEN',
      'key_not_accepted',
      'Keys may not make this call. Sign in to make it.',
    )
  }
  if (!access.scopes.some((scope) => key.scopes.includes(scope))) {
    const scopes = access.scopes.join(' or ')
    throw refusal('FORBIDDEN', 'key_scope', `This key does not have the scope ${scopes}`)
  }
  const { connectionId, retailerId } = key
  if ((connectionId === null && retailerId === null) || access.about === 'person') return
  const { id } = params as { id?: string }
  if (access.about === 'connection' && connectionId !== null) {
    if (id !== String(connectionId)) throw notFound('Connection')
  } else if (access.about === 'retailer' && retailerId !== null) {
    if (id !== String(retailerId)) throw notFound('Retailer')
  } else {
    const what = connectionId === null ? 'retailer' : 'connection'
    throw refusal('FORBIDDEN', 'key_object', `This key is only for one ${what}`)
  }
}

/** Best effort: a database that cannot be written must not refuse reads. */
async function noteUse(deps: Deps, key: Key, request: FastifyRequest): Promise<void> {
  try {
    await noteApiKeyUse(deps, key, () => readSender(request))
  } catch (error) {
    request.log.warn({ err: error }, 'The use of a key could not be noted')
  }
}
