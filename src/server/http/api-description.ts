import type { FastifyInstance } from 'fastify'

import { ROLES } from '../../shared/constants'
import { requireRole } from '../domain/actor'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { describeApi } from './openapi/document'
import { cookieName, readActor } from './session'

/** Serves the OpenAPI 3.1 description of the API to every signed-in user. */
export function registerApiDescription(app: FastifyInstance, deps: Deps): void {
  const { appName, publicUrl } = deps.config
  let text: string | undefined
  app.get('/api/openapi.json', { config: { cost: 2 } }, async (request, reply) => {
    const actor = await readActor(deps, request)
    if (!actor) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
    requireRole(actor, ROLES)
    // Built once: nothing in it changes while the process runs.
    text ??= JSON.stringify(
      describeApi({ appName, cookieName: cookieName(deps), origin: publicUrl }),
    )
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
