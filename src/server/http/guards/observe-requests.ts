import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../domain/deps'
import { withRequestId } from '../../observability/log-context'
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
  const startedAt = performance.now()
  let isComplete = false
  reply.raw.once('finish', () => (isComplete = true))
  reply.raw.once('close', () => {
    const ms = performance.now() - startedAt
    const { method } = request
    const { statusCode } = reply
    const route = toRoute(request)
    const seconds = ms / 1_000
    // Event streams stay open for as long as a page does, so their duration is not a response time.
    if (!isEventStream(reply)) deps.metrics.requestFinished({ method, route, statusCode, seconds })
    const line = {
      requestId: request.id,
      method,
      path: route.includes(':token') ? route : toPath(request.url),
      status: statusCode,
      ms: Math.round(ms),
      userId: request.session?.userId,
    }
    const level = /^\/(?:healthz(?:\/scheduler)?|readyz|metrics)$/.test(route) ? 'debug' : 'info'
    deps.logger[level](line, isComplete ? 'Request' : 'Request aborted by the client')
  })
}

/** The route pattern rather than the path, to bound the number of metric labels. */
function toRoute(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions
  return url.startsWith('/assets/') ? '/assets/*' : url
}

/** What follows in such a path is secret, also where the rest of the path is wrong. */
const SECRET_PATH = /\/(feeds|unsubscribe)\/.*/i

/** The path without the query, and without the origin (and credentials) of an absolute URL. */
function toPath(url: string): string {
  const [path = ''] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)
  return path.slice(0, MAX_PATH_LENGTH).replace(SECRET_PATH, '/$1/…')
}
