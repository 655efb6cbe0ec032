import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'

import { apiRoutes } from '../../api/api-routes'
import { costOf } from '../../api/call-costs'
import type { ApiRoute } from '../../api/define-routes'
import type { Deps } from '../../domain/deps'
import { DomainError } from '../../domain/errors'
import { callProcedure } from './call-procedure'
import { createContext } from './context'

/** Serves each route that has a procedure by calling it: same checks and results as over tRPC. */
export function registerRest(app: FastifyInstance, deps: Deps): void {
  for (const [address, route] of Object.entries<ApiRoute>(apiRoutes)) {
    if (!('procedure' in route)) continue
    const { procedure, status = 200 } = route
    const [method, url] = address.split(' ') as [HTTPMethods, string]
    app.route({
      method,
      url,
      config: { cost: costOf(procedure) },
      handler: async (request, reply) => {
        const context = await createContext(deps, request, reply)
        const result = await callProcedure(procedure, context, toInput(request))
        // `session.current` returns null when nobody is signed in; over REST that is an error.
        if (result === null) throw new DomainError('UNAUTHENTICATED', 'You are not signed in')
        return reply.status(status).send(result)
      },
    })
  }
}

/**
 * The procedure's input: the body (or the query for GET and HEAD) merged with the path parameters.
 * A body that is not an object is passed on as it is, for the schema to refuse.
 */
function toInput(request: FastifyRequest): unknown {
  const params = readParams(request)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const { body = {} } = isRead ? { body: request.query } : request
  if (Object.keys(params).length === 0) return body
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { ...body, ...params }
}

/** The parameters of the path, ids as numbers. */
export function readParams(request: FastifyRequest): Record<string, number | string> {
  return Object.fromEntries(
    Object.entries(request.params as Record<string, string>).map(([name, text]) => [
      name,
      IS_ID.test(name) ? parseId(text) : text,
    ]),
  )
}

/** Path parameters such as `:id` and `:userId` are numbers; all others are text. */
const IS_ID = /^(?:id|\w+Id)$/

const ID = /^[1-9]\d{0,15}$/

/** A malformed id stays text, which every schema of an id refuses. */
export function parseId(text: string): number | string {
  return ID.test(text) ? Number(text) : text
}
