import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { Deps } from '../domain/deps'
import { throttled, type Limits } from '../domain/limits'
import { costOfBatch } from '../trpc/call-costs'
import { createCallCounter } from './call-counter'
import { readClientAddress } from './client-address'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a request to this route counts for; 1 where nothing is said, 0 for no limit at all. */
    cost?: number
  }
}

type CallLimit = 'callsByUser' | 'callsFromAddress'

const BATCH_ROUTE = '/trpc/:path'
/** What a user counts for; the files of a page count for the address alone. */
const CALL_ROUTE = /^\/(?:api|trpc)\//

/**
 * Limits what calls cost in a minute, by the address that they come from and by the user who makes
 * them; each process counts for itself. A batch counts for all of its calls.
 */
export function registerCallLimits(app: FastifyInstance, deps: Deps): void {
  const countUser = limitBy(deps, 'callsByUser')
  const countAddress = limitBy(deps, 'callsFromAddress')
  const isOn = deps.config.hasCallLimits

  // Before the session is looked up, so that whoever has to wait costs next to nothing.
  app.addHook('onRequest', async (request) => {
    const cost = readCost(request)
    if (isOn && cost > 0) countAddress(readClientAddress(request), cost)
  })
  // The session has been read by then, and the body has not.
  app.addHook('preParsing', async (request) => {
    const userId = request.session?.userId
    const isCall = CALL_ROUTE.test(request.routeOptions.url ?? '')
    if (isOn && isCall && userId !== undefined) countUser(userId, readCost(request))
  })
}

/** @returns counts what a call costs, and throws when that is too much */
function limitBy(deps: Deps, limit: CallLimit & keyof Limits) {
  const count = createCallCounter()
  return (subject: string | number, cost: number) => {
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
