import type { FastifyInstance, FastifyRequest } from 'fastify'

import { costOfBatch } from '../../api/call-costs'
import type { Deps } from '../../domain/deps'
import { throttled, type CallLimit } from '../../domain/limits'
import { readClientAddress } from '../sessions/client-address'
import { createCallCounter } from './call-counter'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The cost of a request to this route: 1 by default, 0 for no limit. */
    cost?: number
  }
}

const BATCH_ROUTE = '/trpc/:path'
/** Routes counted per user. The static files of a page are counted per address only. */
const CALL_ROUTE = /^\/(?:api|trpc)\//

/**
 * Limits the cost of calls per minute, by client address and by user; each process counts for
 * itself. A batch costs the sum of its calls.
 */
export function registerCallLimits(app: FastifyInstance, deps: Deps): void {
  const countUser = limitBy(deps, 'callsByUser')
  const countAddress = limitBy(deps, 'callsFromAddress')
  // Before the session is looked up, so that a throttled request costs next to nothing.
  app.addHook('onRequest', (request, _reply, done) => {
    const cost = readCost(request)
    if (cost > 0) countAddress(readClientAddress(request), cost)
    done()
  })
  // At this point the session has been read and the body has not.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const userId = request.session?.userId
    const isCall = CALL_ROUTE.test(request.routeOptions.url ?? '')
    if (isCall && userId !== undefined) countUser(userId, readCost(request))
    done()
  })
}

/** @returns a function that adds the cost of a call and throws when the limit is exceeded */
export function limitBy(deps: Deps, limit: CallLimit) {
  const count = createCallCounter()
  return (subject: string | number, cost: number) => {
    if (!deps.config.hasCallLimits) return
    const call = { cost, now: deps.clock.now(), limit: deps.limits[limit] }
    const waitMs = count(subject, call)
    if (waitMs > 0) throw throttled(waitMs, 'calls')
  }
}

/** @throws DomainError TOO_LARGE for a batch that costs too much */
function readCost({ routeOptions, params }: FastifyRequest): number {
  if (routeOptions.url === BATCH_ROUTE) return costOfBatch((params as { path: string }).path)
  return routeOptions.config?.cost ?? 1
}
