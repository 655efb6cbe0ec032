import Fastify, { LogController, type FastifyBaseLogger } from 'fastify'

import { loadDotEnv, readConfig } from './config'
import { migrateToLatest } from './db/migrate'
import { openDeps } from './deps'
import { ensureCronJobs } from './domain/cron-jobs'
import { registerHealth } from './http/health'
import { startWorking } from './jobs/scheduler'
import { createLogger } from './logger'
import { closeOnSignal } from './shutdown'
import { reportStartFailure } from './start-failure'

// npm run worker: background work in a process of its own, several at once if need be. It shares the
// database and the files with the web process; Redis, where there is one, carries the work.
try {
  loadDotEnv()
  const config = readConfig()
  const logger = createLogger(config)
  const { deps, close } = await openDeps(config, logger)
  await migrateToLatest(deps.db)
  await ensureCronJobs(deps)
  const health = Fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  registerHealth(health, deps)
  const address = await health.listen({ host: '127.0.0.1', port: config.workerPort })
  const stopWorking = startWorking(deps)
  closeOnSignal(logger, async () => {
    await stopWorking()
    await close()
    await health.close()
  })
  process.stdout.write(`The worker is ready, its health at ${address}/readyz\n`)
} catch (error) {
  reportStartFailure(error)
}
