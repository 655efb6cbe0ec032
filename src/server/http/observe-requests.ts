import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../domain/deps'
import { withRequestId } from '../observability/log-context'
import { isEventStream } from './event-stream'

const MAX_PATH_LENGTH = 300

/** One line and one measurement per request, and its id on every line that is written for it. */
export function observeRequests(app: FastifyInstance, deps: Deps): void {
  app.addHook('onRequest', (request, reply, done) => {
    observe(deps, request, reply)
    withRequestId(request.id, () => done())
  })
  // Reading the body leaves the request's context: its events belong to the socket.
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, () => done()))
}

/** Also for addresses that no route is looked up for, which hooks never see. */
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
    // How long somebody has watched says nothing of how fast the product answers.
    if (!isEventStream(reply)) deps.metrics.requestFinished({ method, route, statusCode, seconds })
    const line = {
      requestId: request.id,
      method,
      path: toPath(request.url),
      status: statusCode,
      ms: Math.round(ms),
      userId: request.session?.userId,
    }
    const level = /^\/(?:healthz|readyz|metrics)$/.test(route) ? 'debug' : 'info'
    deps.logger[level](line, isComplete ? 'Request' : 'Request that the client left')
  })
}

/** The pattern that was matched: addresses are endless, patterns are few. */
function toRoute(request: FastifyRequest): string {
  const { url = 'none' } = request.routeOptions
  return url.startsWith('/assets/') ? '/assets/*' : url
}

/** Without the query, and without what an absolute address may carry of its sender. */
function toPath(url: string): string {
  const [path = ''] = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)
  return path.slice(0, MAX_PATH_LENGTH)
}
