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
  const backups = (await deps.backups.list()).slice(0, MAX_LISTED)
  const drills = await readDrills(deps)
  return backups.map((backup) => toBackupFile(backup, drills.get(backup.name)))
}

const NOT_TRIED: BackupDrill = { isRunning: false, finishedAt: null, outcome: null, reason: null }

function toBackupFile(backup: StoredBackup, drill = NOT_TRIED): BackupFile {
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
    drill,
  }
}

/** The newest backup that the job has made; undefined when there is none. */
export async function findLastDailyBackup(deps: Deps): Promise<BackupFile | undefined> {
  return (await listBackupFiles(deps)).find(({ kind }) => kind === 'daily')
}
