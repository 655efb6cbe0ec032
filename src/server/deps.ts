import { dirname } from 'node:path'

import type { Logger } from 'pino'

import type { Config } from './config'
import { prepareFolder } from './data-folder'
import { measureBacklog } from './db/backlog.queries'
import { openDatabase } from './db/open'
import { cronTasks } from './domain/cron-tasks'
import type { Deps } from './domain/deps'
import { createPasswordHasher } from './domain/passwords'
import { createFeedFetcher } from './feed/fetch'
import { createBullmqQueue } from './jobs/queue-bullmq'
import { createEmbeddedQueue } from './jobs/queue-embedded'
import { createPrometheusMetrics } from './metrics-prometheus'
import { openDiskFileStore } from './storage/file-store-disk'

export type OpenDeps = { deps: Deps; close(): Promise<void> }

/** Opens what the product needs from outside: the only place that knows which drivers are in use. */
export async function openDeps(config: Config, logger: Logger): Promise<OpenDeps> {
  await prepareFolder('DATA_DIR', config.dataDir)
  await prepareFolder('DATABASE_URL', dirname(config.databaseFile))
  const db = openDatabase(config.databaseFile)
  const clock = { now: () => Date.now() }
  const metrics = createPrometheusMetrics({
    readBacklog: () => measureBacklog(db, clock.now()),
    measuresProcess: true,
  })
  const files = await openDiskFileStore(config.filesDir)
  const fetcher = createFeedFetcher({
    allow: config.fetchAllow,
    maxBytes: config.maxFileBytes,
    now: clock.now,
  })
  const embedded = createEmbeddedQueue(logger)
  const queue = config.redisUrl
    ? createBullmqQueue({ redisUrl: config.redisUrl, logger, fallback: embedded })
    : embedded
  const passwords = createPasswordHasher()
  return {
    deps: { config, clock, logger, metrics, db, files, fetcher, queue, passwords, cronTasks },
    async close() {
      await queue.close(0)
      await fetcher.close()
      await db.destroy()
    },
  }
}
