import type { FastifyInstance } from 'fastify'

import { checkDatabase } from '../db/open'
import type { Deps } from '../domain/deps'
import { DiskError, toRefusal } from '../domain/refusal'
import { isSchedulerStalled } from '../features/operations/scheduling/scheduler-ticks'

/** Health checks are exempt from rate limits. */
const UNLIMITED = { config: { cost: 0 } }

/**
 * Serves liveness at /healthz and readiness at /readyz. On the public port, they give no details.
 * @param check throws when the process cannot do its work; what it returns is told
 */
export function registerHealth(app: FastifyInstance, check: () => Promise<object | void>): void {
  app.get('/healthz', UNLIMITED, async (_request, reply) => reply.send({ status: 'ok' }))
  app.get('/readyz', UNLIMITED, async (request, reply) => {
    try {
      const details = await check()
      return await reply.send({ status: 'ready', ...details })
    } catch (error) {
      request.log.warn({ err: error }, 'Not ready')
      return reply.status(503).send({ status: 'not ready' })
    }
  })
}

/**
 * Serves at /healthz/scheduler whether background work is done in any process, for a monitor outside of
 * the product. Apart from readiness: without it files are still served. Public and without details.
 */
export function registerSchedulerHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz/scheduler', async (_request, reply) =>
    (await isSchedulerStalled(deps))
      ? reply.status(503).send({ status: 'stopped' })
      : reply.send({ status: 'ok' }),
  )
}

/**
 * Readiness of a web process: the database and the files can be read. Redis and free disk space are
 * not required: without them reads still work, and taking the process out of rotation would turn
 * that into an outage.
 */
export async function checkServing(deps: Deps): Promise<void> {
  await checkDatabase(deps.db)
  await deps.files.check().catch((error: unknown) => {
    if (!(toRefusal(error) instanceof DiskError)) throw error
  })
}

/**
 * Readiness of a worker: database, files and queue. Without the queue a worker only runs the jobs
 * that it finds due by itself and shares no work, which its operator should see.
 */
export async function checkWorking(deps: Deps): Promise<void> {
  await checkDatabase(deps.db)
  await deps.files.check()
  await deps.queue.check()
}
