import { BACKUP_JOB } from '../../shared/constants'
import type { BackupFile } from '../../shared/schemas/cron-job'
import { findCronJob } from '../db/cron-jobs.queries'
import type { StoredBackup } from '../storage/backup-store'
import type { Deps } from './deps'
import { notFound } from './errors'

const EXTENSION = '.tar'

/** The backups that are whole, newest first; only the backup job makes any. */
export async function listBackupFiles(deps: Deps, jobName = BACKUP_JOB): Promise<BackupFile[]> {
  if (jobName !== BACKUP_JOB) return []
  return (await deps.backups.list()).map(toBackupFile)
}

function toBackupFile({ name, manifest, archiveBytes }: StoredBackup): BackupFile {
  const { createdAt, verifiedAt } = manifest
  const filename = `${name}${EXTENSION}`
  return {
    filename,
    size: archiveBytes,
    createdAt,
    downloadUrl: `/api/admin/backup-files/${filename}`,
    verifiedAt,
    durationMs: new Date(verifiedAt).getTime() - new Date(createdAt).getTime(),
  }
}

/** The backup of this file name. @throws DomainError NOT_FOUND for every other name */
export async function findBackupFile(deps: Deps, filename: string): Promise<StoredBackup> {
  const name = filename.endsWith(EXTENSION) ? filename.slice(0, -EXTENSION.length) : ''
  const backup = await deps.backups.find(name)
  if (!backup) throw notFound('Backup file')
  return backup
}

/** The lease token of the backup that is being made; null while none is. */
export async function findLiveBackup(deps: Deps): Promise<string | null> {
  const job = await findCronJob(deps.db, BACKUP_JOB)
  return job?.leaseUntil && job.leaseUntil > deps.clock.now() ? job.leaseToken : null
}

/** Removes what backups have left whose process has died. */
export async function removeDeadBackups(deps: Deps): Promise<void> {
  await deps.backups.removeDrafts(async () => {
    const leaseToken = await findLiveBackup(deps)
    return new Set(leaseToken === null ? [] : [leaseToken])
  })
}
