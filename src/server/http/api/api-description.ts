import type { FastifyInstance } from 'fastify'

import { describeApi } from '../../api/openapi/document'
import type { Deps } from '../../domain/deps'
import { cookieName } from '../sessions/session'

/** Serves the OpenAPI 3.1 description of the API to anyone: it has no data of anybody. */
export function registerApiDescription(app: FastifyInstance, deps: Deps): void {
  const { appName, publicUrl, productVersion } = deps.config
  let text: string | undefined
  app.get('/api/openapi.json', { config: { cost: 2 } }, (_request, reply) => {
    // Built once: nothing in it changes while the process runs.
    text ??= JSON.stringify(
      describeApi({
        appName,
        cookieName: cookieName(deps),
        origin: publicUrl,
        version: productVersion,
      }),
    )
    return reply.type('application/json; charset=utf-8').send(text)
  })
}
