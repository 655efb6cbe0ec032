import type { FastifyRequest } from 'fastify'

import { personOf, type Actor } from '../../domain/actor'
import { withCaller } from '../../domain/caller'
import { readClientAddress } from './client-address'

/** Runs what a route does on behalf of its caller, so that the audit log knows who it is. */
export function asCaller<T>(request: FastifyRequest, actor: Actor, work: () => T): T {
  const address = readClientAddress(request)
  return withCaller({ origin: 'web', actor: personOf(actor), address }, work)
}
