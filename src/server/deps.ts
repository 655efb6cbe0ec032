import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Logger } from 'pino'

import type { Config } from './config'
import { openDatabase } from './db/open'
import { cronTasks } from './domain/cron-tasks'
import type { Deps } from './domain/deps'
import { defaultLimits } from './domain/limits'
import { createPasswordHasher } from './domain/passwords'
import { createFeedFetcher } from './feed/fetch'
import { createBullmqQueue } from './jobs/queue-bullmq'
import { createEmbeddedQueue } from './jobs/queue-embedded'
import { openDiskFileStore } from './storage/file-store-disk'

/** How long running work may go on when the process is asked to stop. */
const GRACE_MS = 20_000

export type OpenDeps = { deps: Deps; close(): Promise<void> }

/** Opens what the product needs from outside: the only place that knows which drivers are in use. */
export async function openDeps(config: Config, logger: Logger): Promise<OpenDeps> {
  await mkdir(dirname(config.databaseFile), { recursive: true, mode: 0o700 })
  const db = openDatabase(config.databaseFile)
  const clock = { now: () => Date.now() }
  const files = await openDiskFileStore(config.filesDir)
  const fetcher = createFeedFetcher({
    allow: config.fetchAllow,
    maxBytes: config.maxFileBytes,
    now: clock.now,
  })
  const queue = config.redisUrl
    ? createBullmqQueue(config.redisUrl, logger)
    : createEmbeddedQueue(logger)
  const passwords = createPasswordHasher()
  return {
    deps: {
      config,
      clock,
      logger,
      db,
      files,
      fetcher,
      queue,
      passwords,
      cronTasks,
      limits: defaultLimits,
    },
    async close() {
      await queue.close(GRACE_MS)
      await fetcher.close()
      await db.destroy()
    },
  }
}
