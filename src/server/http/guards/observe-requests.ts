import type { ServerResponse } from 'node:http'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { selfOf } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { withRequestId } from '../../observability/log-context'
import { recordSpan } from '../../observability/spans'
import { isEventStream } from './event-stream'

const MAX_PATH_LENGTH = 300

/** Logs and measures every request, and puts its id on every line logged on its behalf. */
export function observeRequests(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', (request, reply, done) => {
    observe(deps, request, reply)
    withRequestId(request.id, () => done())
  })
  // Reading the body loses the async context: its events belong to the socket.
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, () => done()))
}

/** Also used for URLs that Fastify refuses before routing, which hooks never see. */
export function observe(deps: Deps, request: FastifyRequest, reply: FastifyReply): void {
  const route = toRoute(request)
  recordWhenClosed(deps, reply.raw, () => ({
    requestId: request.id,
    method: request.method,
    route,
    path: route.includes(':token') ? route : toPath(request.url),
    userId: request.keyActor ? selfOf(request.keyActor).id : request.session?.userId,
    keyId: request.keyActor?.key?.id,
    isEventStream: isEventStream(reply),
  }))
}

type ObservedRequest = {
  requestId: string
  method: string
  route: string
  /** Without secrets. */
  path: string
  userId: number | undefined
  /** The API key by which it was made. */
  keyId?: number | undefined
  isEventStream?: boolean
}

/** Logs and measures a request that has begun just now, once its response has been sent. */
function recordWhenClosed(
  deps: Deps,
  response: ServerResponse,
  describe: () => ObservedRequest,
): void {
  const startedAt = performance.now()
  let isComplete = false
  response.once('finish', () => (isComplete = true))
  response.once('close', () => {
    const ms = performance.now() - startedAt
    recordRequest(deps, describe(), { statusCode: response.statusCode, ms, isComplete })
  })
}

type Outcome = { statusCode: number; ms: number; isComplete: boolean }

/** Logs and measures a request. */
export function recordRequest(
  { metrics, logger }: Deps,
  { requestId, method, route, path, userId, keyId, isEventStream: isStream }: ObservedRequest,
  { statusCode, ms, isComplete }: Outcome,
): void {
  const isQuiet = QUIET_ROUTE.test(route)
  // Event streams stay open for as long as a page does, so their duration is not a response time.
  if (!isStream) {
    metrics.requestFinished({ method, route, statusCode, seconds: ms / 1_000 })
    const facts = { method, route, status: statusCode, requestId }
    if (!isQuiet) recordSpan('request', facts, ms / 1_000, statusCode >= 500)
  }
  const level = isQuiet ? 'debug' : 'info'
  const line = { requestId, method, path, status: statusCode, ms: Math.round(ms), userId, keyId }
  logger[level](line, isComplete ? 'Request' : 'Request aborted by the client')
}

/** What programs ask for again and again. */
const QUIET_ROUTE = /^\/(?:healthz(?:\/scheduler)?|readyz|metrics)$/

/** The route pattern rather than the path, to bound the number of metric labels. */
function toRoute(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions
  return url.startsWith('/assets/') ? '/assets/*' : url
}

/** What follows in such a path is secret, also where the rest of the path is wrong. */
const SECRET_PATH = /\/(feeds|files|unsubscribe|upload)\/.*/i

/** The path without the query, and without the origin (and credentials) of an absolute URL. */
function toPath(url: string): string {
  const [path = ''] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)
  return path.slice(0, MAX_PATH_LENGTH).replace(SECRET_PATH, '/$1/…')
}
