import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../domain/deps'
import type { Context } from '../../trpc/init'
import { readClientAddress } from '../sessions/client-address'
import { controlSession, readActor } from '../sessions/session'

/** The context of a request's procedures: caller, client address and session. */
export async function createContext(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  return {
    deps,
    actor: await readActor(deps, request),
    address: readClientAddress(request),
    origin: `${request.protocol}://${request.host}`,
    session: controlSession(deps, request, reply),
  }
}
