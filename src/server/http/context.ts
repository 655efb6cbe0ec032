import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../domain/deps'
import type { Context } from '../trpc/init'
import { readClientAddress } from './client-address'
import { controlSession, readActor } from './session'

/** What a request's procedures get: who calls, and the session it calls with. */
export async function createContext(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  return {
    deps,
    actor: await readActor(deps, request),
    address: readClientAddress(request),
    session: controlSession(deps, request, reply),
  }
}
