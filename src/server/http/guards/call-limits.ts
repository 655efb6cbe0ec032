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
export function registerCallLimits(
  app: FastifyInstance,
  { callsByUser, callsFromAddress }: CallLimits,
): void {
  // Before the session is looked up, so that a throttled request costs next to nothing.
  app.addHook('onRequest', (request, _reply, done) => {
    const cost = readCost(request)
    if (cost > 0) callsFromAddress.count(readClientAddress(request), cost)
    done()
  })
  // At this point the session has been read and the body has not.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const subject = readSubject(request)
    const isCall = CALL_ROUTE.test(request.routeOptions.url ?? '')
    if (isCall && subject !== undefined) callsByUser.count(subject, readCost(request))
    done()
  })
}

/** Each key has calls of its own, besides those of its person. */
function readSubject({ keyActor, session }: FastifyRequest): string | number | undefined {
  return keyActor?.key ? `key ${keyActor.key.id}` : session?.userId
}

/** Counts the cost of calls by a subject. */
type CountedLimit = {
  /** @throws DomainError THROTTLED, and adds nothing, when that exceeds the limit */
  count(subject: string | number, cost: number): void
  /** Adds the cost of a call unless that exceeds the limit. */
  tryCount(subject: string | number, cost: number): boolean
}

export type CallLimits = Record<CallLimit, CountedLimit>

export function createCallLimits(deps: Deps): CallLimits {
  return {
    callsByUser: limitBy(deps, 'callsByUser'),
    callsFromAddress: limitBy(deps, 'callsFromAddress'),
    readsOfFeed: limitBy(deps, 'readsOfFeed'),
    readsOfFileLink: limitBy(deps, 'readsOfFileLink'),
    wrongKeysFromAddress: limitBy(deps, 'wrongKeysFromAddress'),
    wrongKeys: limitBy(deps, 'wrongKeys'),
    wrongPasswordsOfFeed: limitBy(deps, 'wrongPasswordsOfFeed'),
    wrongFeedPasswordsFromAddress: limitBy(deps, 'wrongFeedPasswordsFromAddress'),
    wrongFeedPasswords: limitBy(deps, 'wrongFeedPasswords'),
    wrongMailSecretsFromAddress: limitBy(deps, 'wrongMailSecretsFromAddress'),
    wrongMailSecrets: limitBy(deps, 'wrongMailSecrets'),
  }
}

function limitBy(deps: Deps, limit: CallLimit): CountedLimit {
  const add = createCallCounter()
  const addCall = (subject: string | number, cost: number) =>
    deps.config.hasCallLimits
      ? add(subject, { cost, now: deps.clock.now(), limit: deps.limits[limit] })
      : 0
  return {
    count(subject, cost) {
      const waitMs = addCall(subject, cost)
      if (waitMs > 0) throw throttled(waitMs, 'calls')
    },
    tryCount: (subject, cost) => addCall(subject, cost) === 0,
  }
}

/** @throws DomainError TOO_LARGE for a batch that costs too much */
function readCost({ routeOptions, params }: FastifyRequest): number {
  if (routeOptions.url === BATCH_ROUTE) return costOfBatch((params as { path: string }).path)
  return routeOptions.config?.cost ?? 1
}
