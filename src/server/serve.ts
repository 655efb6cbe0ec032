import type { FastifyInstance } from 'fastify'

import { buildApp } from './app'
import type { Config } from './config'
import { migrateToLatest } from './db/migrate'
import { openDeps } from './deps'
import { ensureFirstAdmin } from './domain/administrators'
import { ensureCronJobs } from './domain/cron-jobs'
import type { Deps } from './domain/deps'
import { startWorking } from './jobs/scheduler'
import { createLogger } from './logger'
import { readOrCreateSecret } from './secret-file'

/** How long requests in flight and running syncs may go on when the program is asked to end. */
const REQUESTS_GRACE_MS = 10_000
const SYNCS_GRACE_MS = 20_000

export type RunningServer = {
  deps: Deps
  /** Where the product answers. */
  url: string
  /** The first administrator's password, when it was made up just now. */
  firstPassword: string | null
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>
}

/** Brings the product up: database, web server and, unless it runs elsewhere, the worker. */
export async function serve(config: Config, clientDir: string): Promise<RunningServer> {
  const { deps, close: closeDeps } = await openDeps(config, createLogger(config))
  try {
    await migrateToLatest(deps.db)
    await ensureCronJobs(deps)
    const sessionSecret = config.sessionSecret ?? (await readOrCreateSecret(config.dataDir))
    const app = await buildApp(deps, { sessionSecret, clientDir })
    const address = await app.listen({ host: config.host, port: config.port })
    // Its password is shown once, so it is made when nothing can fail any more.
    const firstPassword = await ensureFirstAdmin(deps)
    const stopWorking = config.hasInlineWorker ? startWorking(deps) : async () => undefined
    return {
      deps,
      url: config.publicUrl ?? address.replace('127.0.0.1', 'localhost'),
      firstPassword,
      async close() {
        await stopWorking()
        await Promise.all([closeWithin(app, REQUESTS_GRACE_MS), deps.queue.close(SYNCS_GRACE_MS)])
        await closeDeps()
      },
    }
  } catch (error) {
    await closeDeps()
    throw error
  }
}

/** A download to a slow client would hold the program up for as long as it takes. */
async function closeWithin(app: FastifyInstance, graceMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), graceMs)
  await app.close()
  clearTimeout(timer)
}
