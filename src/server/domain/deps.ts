import type { Logger } from 'pino'

import type { Config } from '../config'
import type { Db } from '../db/open'
import type { Snapshots } from '../db/snapshots'
import type { PasswordHasher } from '../features/accounts/passwords'
import type { PreviewTurns } from '../features/connections/preview-turns'
import type { ChangeWatch } from '../features/live/change-watch'
import type { SyncSlots } from '../features/syncs/sync-slots'
import type { CategoryIndexes } from '../features/versions/category-indexes'
import type { FeedReader } from '../feed/feed-reader'
import type { HostGate } from '../feed/fetch/host-gate'
import type { IdentityProvider } from '../identity/identity-provider'
import type { Metrics } from '../observability/metrics'
import type { Queue } from '../queue/queue'
import type { SecretBox } from '../secrets/secret-box'
import type { BackupStore } from '../storage/backup-store'
import type { FileStore } from '../storage/file-store'
import type { Limits } from './limits'

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
  /** Copies of the database, for backups. */
  snapshots: Snapshots
  backups: BackupStore
  feeds: FeedReader
  queue: Queue
  /** Whose turn it is at the hosts of sources. */
  hosts: HostGate
  /** The syncs that this process works on. */
  slots: SyncSlots
  /** The previews that this process works on. */
  previews: PreviewTurns
  changes: ChangeWatch
  categoryIndexes: CategoryIndexes
  passwords: PasswordHasher
  secrets: SecretBox
  /** What runs on a schedule; the database owns the schedules' state. */
  cronTasks: readonly CronTask[]
  /** null where none is configured. */
  identityProvider: IdentityProvider | null
  /** How often things may be tried; tests set smaller ones. */
  limits: Limits
}

/** What a cron job does; `cron-tasks.ts` lists them all. */
export type CronTask = {
  name: string
  /** What it does, in a sentence for the administrator. */
  description: string
  /** A cron expression of five fields, read in UTC. */
  schedule: string
  timeoutMs: number
  /**
   * Does the work.
   * @returns what was done, in a line for the administrator
   * @throws DomainError whose text the administrator reads; anything else is logged as our own fault
   */
  run(deps: Deps, run: CronRun): Promise<string>
}

/** A run of a cron job, as its task sees it. */
export type CronRun = {
  /** Owns the scratch files of this run. */
  leaseToken: string
  signal: AbortSignal
  /** Says what is being done now; the administrator sees it live. */
  report(step: string): Promise<void>
}
