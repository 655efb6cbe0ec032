import { setTimeout as sleep } from 'node:timers/promises'

import { BACKUP_JOB } from '../../shared/constants'
import { listMigrations, migrateToLatest } from '../db/migrate'
import { NewerDatabaseError } from '../db/newer-database'
import { isUnwritable } from '../db/open'
import type { CronRun, Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { makeUpgradeBackup } from '../features/operations/backups/upgrade-backup'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { leaseCronJob } from '../features/operations/cron-jobs/lease-cron-job'
import { describeBackup } from '../storage/backup-place'
import type { StoredBackup } from '../storage/backup-store'
import { explainNewerDatabase } from './explain-newer-database'

const LOOK_EVERY_MS = 1_000

export type UpgradeOptions = {
  /** Receives lines for the operator. */
  report(line: string): void
  /** Without it, an upgrade that goes wrong cannot be undone. */
  isBackedUp?: boolean
}

/**
 * Migrates the database to the newest schema, after a backup of what it holds: whoever is to undo the upgrade
 * restores that. One process does so, holding the lease of the backup job; others wait. An empty database
 * needs no backup.
 * @returns the names of the migrations that this process ran
 * @throws DomainError when the database is a newer version's, or cannot be backed up or migrated; it is
 *   unchanged then
 */
export async function upgradeDatabase(deps: Deps, options: UpgradeOptions): Promise<string[]> {
  const { report, isBackedUp = true } = options
  for (let isWaiting = false; ; isWaiting = true) {
    const { done, waiting } = await listOwnMigrations(deps)
    if (waiting.length === 0) return []
    if (!isBackedUp || !(await hasRows(deps, done))) return migrate(deps)
    const upgraded = await holdBackupJob(deps, done, (run) => backUpAndMigrate(deps, run, report))
    if (upgraded) return upgraded.result
    if (!isWaiting)
      report('Another process is making a backup, or is migrating the database: waiting')
    await sleep(LOOK_EVERY_MS)
  }
}

async function backUpAndMigrate(deps: Deps, run: CronRun, report: UpgradeOptions['report']) {
  // Another process may have migrated the database just before this one got the lease.
  if ((await listOwnMigrations(deps)).waiting.length === 0) return []
  report('Backing up before the database is migrated')
  const backup = await makeUpgradeBackup(deps, run).catch((error: unknown) => {
    throw noBackup(deps, error)
  })
  report(`The backup before this update is ${describeBackup(deps.config, backup.name)}`)
  run.signal.throwIfAborted()
  return migrate(deps, backup)
}

/** Versions before the cron jobs made no backups that could be in progress. */
async function holdBackupJob<T>(deps: Deps, done: string[], work: (run: CronRun) => Promise<T>) {
  const toRun = (lease: Omit<CronRun, 'report'>) => ({ ...lease, report: async () => undefined })
  if (!done.includes('0002-cron-jobs')) {
    const { signal } = new AbortController()
    return { result: await work(toRun({ leaseToken: 'upgrade', signal })) }
  }
  try {
    await ensureCronJobs(deps)
  } catch (error) {
    throw noBackup(deps, error)
  }
  return leaseCronJob(deps, BACKUP_JOB, (lease) => work(toRun(lease)))
}

async function hasRows({ db }: Deps, done: string[]): Promise<boolean> {
  if (done.length === 0) return false
  const user = await db.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return user !== undefined
}

async function listOwnMigrations(deps: Deps) {
  try {
    return await listMigrations(deps.db)
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw error
    const { problem, advice } = await explainNewerDatabase(deps, error)
    throw new DomainError('UNAVAILABLE', `${problem}. ${advice}`)
  }
}

async function migrate(deps: Deps, backup?: StoredBackup): Promise<string[]> {
  try {
    return await migrateToLatest(deps.db)
  } catch (error) {
    const saved = backup ? ` The backup is ${describeBackup(deps.config, backup.name)}.` : ''
    throw new DomainError(
      'UNAVAILABLE',
      `The database could not be migrated, and is as it was: ${toReason(deps, error)}.${saved}`,
    )
  }
}

function noBackup(deps: Deps, error: unknown): DomainError {
  return new DomainError(
    'UNAVAILABLE',
    `The database was not migrated, because it could not be backed up: ${toReason(deps, error)}. ` +
      'To go on without a way back, run npm run migrate -- --without-backup',
  )
}

function toReason({ logger }: Deps, error: unknown): string {
  if (error instanceof DomainError) return error.message
  logger.error({ err: error }, 'An upgrade failed')
  return isUnwritable(error) ? 'the disk is full or cannot be written' : (error as Error).message
}
