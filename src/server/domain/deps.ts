import type { Logger } from 'pino'

import type { Config } from '../config'
import type { Db } from '../db/open'
import type { FeedFetcher } from '../feed/fetch'
import type { Queue } from '../jobs/queue'
import type { Metrics } from '../metrics'
import type { FileStore } from '../storage/file-store'
import type { CronTask } from './cron-task'
import type { PasswordHasher } from './passwords'

/** Tells the time in Unix milliseconds; tests move it. */
export type Clock = { now(): number }

/** Everything the rules need from outside; `src/server/deps.ts` puts the real ones together. */
export type Deps = {
  config: Config
  clock: Clock
  logger: Logger
  metrics: Metrics
  db: Db
  files: FileStore
  fetcher: FeedFetcher
  queue: Queue
  passwords: PasswordHasher
  /** What runs on a schedule; the database owns the schedules' state. */
  cronTasks: readonly CronTask[]
}
