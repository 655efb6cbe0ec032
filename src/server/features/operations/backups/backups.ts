import { BACKUP_JOB } from '../../../../shared/constants'
import type { BackupDrill, BackupFile } from '../../../../shared/schemas/cron-job'
import type { Deps } from '../../../domain/deps'
import type { StoredBackup } from '../../../storage/backup-store'
import { readDrills } from './backup-drills'
import { EXTENSION } from './stored-backups'

/** The job keeps about a dozen; people may copy more into the folder. */
const MAX_LISTED = 500

/** Lists complete backups, newest first. Empty for any other job than the backup job. */
export async function listBackupFiles(deps: Deps, jobName = BACKUP_JOB): Promise<BackupFile[]> {
  if (jobName !== BACKUP_JOB) return []
  const backups = await listStored(deps)
  const drills = await readDrills(deps)
  return backups.map((backup) => ({
    ...toMadeBackup(backup),
    drill: drills.get(backup.name) ?? NOT_TRIED,
  }))
}

const listStored = async ({ backups }: Deps) => (await backups.list()).slice(0, MAX_LISTED)

/** Of a backup that was never tested. */
export const NOT_TRIED: BackupDrill = {
  isRunning: false,
  finishedAt: null,
  outcome: null,
  reason: null,
}

/** A backup as it was made, whatever has been tried with it. */
export type MadeBackup = Omit<BackupFile, 'drill'>

function toMadeBackup(backup: StoredBackup): MadeBackup {
  const { name, kind, manifest, readTimes, archiveBytes } = backup
  const { createdAt, verifiedAt } = manifest
  const filename = `${name}${EXTENSION}`
  return {
    filename,
    kind,
    size: archiveBytes,
    createdAt,
    downloadUrl: `/api/admin/backup-files/${filename}`,
    verifiedAt,
    filesReadSince: readTimes ? new Date(Math.min(...readTimes)).toISOString() : createdAt,
    durationMs: new Date(verifiedAt).getTime() - new Date(createdAt).getTime(),
  }
}

/** The newest backup that the job has made; undefined when there is none. Asks no database. */
export async function findLastDailyBackup(deps: Deps): Promise<MadeBackup | undefined> {
  const daily = (await listStored(deps)).find(({ kind }) => kind === 'daily')
  return daily && toMadeBackup(daily)
}
