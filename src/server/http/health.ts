import type { FastifyInstance } from 'fastify'

import { checkDatabase } from '../db/open'
import type { Deps } from '../domain/deps'
import { DiskError, toRefusal } from '../domain/refusal'

/** Whoever watches the product is never told to wait. */
const UNLIMITED = { config: { cost: 0 } }

/**
 * Public, and without details: whether the process lives, and whether it can do its work.
 * @param check throws when it cannot
 */
export function registerHealth(app: FastifyInstance, check: () => Promise<void>): void {
  app.get('/healthz', UNLIMITED, async (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', UNLIMITED, async (request, reply) => {
    try {
      await check()
      return await reply.send({ status: 'ready' })
    } catch (error) {
      request.log.warn({ err: error }, 'Not ready')
      return reply.status(503).send({ status: 'not ready' })
    }
  })
}

/**
 * What serving needs: the database and the files. Redis is not among it, nor that the disk takes more:
 * without it people read on, and taking the web out of rotation would only make that an outage.
 */
export async function checkServing(deps: Deps): Promise<void> {
  await checkDatabase(deps.db)
  await deps.files.check().catch((error: unknown) => {
    if (!(toRefusal(error) instanceof DiskError)) throw error
  })
}

/**
 * What working needs. Without its queue a worker does what it finds itself and shares no work: its
 * operator is to know.
 */
export async function checkWorking(deps: Deps): Promise<void> {
  await checkDatabase(deps.db)
  await deps.files.check()
  await deps.queue.check()
}
