import type { FastifyInstance } from 'fastify'

import { isViewed, viewAsOnlyReads } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { readActor } from '../sessions/session'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a GET request changes something, so that it is refused like a write. */
    isWrite?: boolean
  }
}

const READS = new Set(['GET', 'HEAD'])
/** Procedures are refused by their kind, and a sign-out ends what is viewed. */
const GUARDED_ELSEWHERE = new Set(['/trpc/:path', '/api/logout'])

/** Refuses every write of an administrator who sees the product as another user, whatever its route. */
export function registerViewerGuard(app: FastifyInstance, deps: Deps): void {
  app.addHook('preHandler', async (request) => {
    const { url = '', config } = request.routeOptions
    const isRead = READS.has(request.method) && !config.isWrite
    if (isRead || GUARDED_ELSEWHERE.has(url)) return
    const actor = await readActor(deps, request)
    if (actor && isViewed(actor)) throw viewAsOnlyReads()
  })
}
