import type { FastifyRequest } from 'fastify'

import { isWithoutFactor, ownAreas, ownRoles, type GuardedAddress } from '../../api/route-roles'
import { personOf, requireArea, requireRole, type Actor } from '../../domain/actor'
import { withCaller } from '../../domain/caller'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { requireFactorSetUp } from '../../domain/factor-setup'
import { readClientAddress } from './client-address'
import { readActor } from './session'

/**
 * The caller of a route without a procedure.
 * @throws DomainError UNAUTHENTICATED without a session, FORBIDDEN without one of the route's roles, or a
 *   second factor that is overdue
 */
export async function requireCaller(
  deps: Deps,
  request: FastifyRequest,
  address: GuardedAddress,
): Promise<Actor> {
  const actor = await readActor(deps, request)
  if (!actor) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
  if (!isWithoutFactor(address)) requireFactorSetUp(deps, actor)
  requireRole(actor, ownRoles[address])
  requireArea(actor, ownAreas[address])
  return actor
}

/** Runs what a route does on behalf of its caller, so that the audit log knows who it is. */
export function asCaller<T>(request: FastifyRequest, actor: Actor, work: () => T): T {
  const address = readClientAddress(request)
  const keyName = actor.key?.name
  return withCaller({ origin: 'web', actor: personOf(actor), address, keyName }, work)
}
