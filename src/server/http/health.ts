import type { FastifyInstance } from 'fastify'

import { checkDatabase } from '../db/open'
import type { Deps } from '../domain/deps'

/** Public, and without details: whether the process lives, and whether it can do its work. */
export function registerHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    try {
      await checkDatabase(deps.db)
      await deps.files.check()
      return await reply.send({ status: 'ready' })
    } catch (error) {
      request.log.warn({ err: error }, 'Not ready')
      return reply.status(503).send({ status: 'not ready' })
    }
  })
}
