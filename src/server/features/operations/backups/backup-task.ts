import { BACKUP_JOB } from '../../../../shared/constants'
import { HOUR_MS } from '../../../../shared/durations'
import type { CronRun, CronTask, Deps } from '../../../domain/deps'
import { chooseKeptBackups } from './backup-retention'
import { makeBackup } from './make-backup'

/** Makes the daily backup, and removes those that it replaces. */
export const backupTask: CronTask = {
  name: BACKUP_JOB,
  description: 'Backs up the database and all inventory files, and checks that the backup restores',
  schedule: '0 3 * * *',
  timeoutMs: 4 * HOUR_MS,
  run: runBackup,
}

async function runBackup(deps: Deps, run: CronRun): Promise<string> {
  const { summary } = await makeBackup(deps, run, 'daily')
  await run.report('Removing old backups')
  await removeOldBackups(deps)
  return summary
}

async function removeOldBackups(deps: Deps): Promise<void> {
  const backups = (await deps.backups.list()).filter(({ kind }) => kind === 'daily')
  const toInstant = (createdAt: string) => new Date(createdAt).getTime()
  const kept = chooseKeptBackups(backups.map(({ manifest }) => toInstant(manifest.createdAt)))
  const old = backups.filter(({ manifest }) => !kept.has(toInstant(manifest.createdAt)))
  for (const { name } of old) await deps.backups.delete(name)
}
