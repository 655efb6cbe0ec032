import type { Readable } from 'node:stream'

import { BACKUP_JOB } from '../../../../shared/constants'
import type { BackupFile } from '../../../../shared/schemas/cron-job'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import type { StoredBackup } from '../../../storage/backup-store'

const EXTENSION = '.tar'
/** The job keeps about a dozen; people may copy more into the folder. */
const MAX_LISTED = 500

/** Lists complete backups, newest first. Empty for any other job than the backup job. */
export async function listBackupFiles(deps: Deps, jobName = BACKUP_JOB): Promise<BackupFile[]> {
  if (jobName !== BACKUP_JOB) return []
  return (await deps.backups.list()).slice(0, MAX_LISTED).map(toBackupFile)
}

function toBackupFile(backup: StoredBackup): BackupFile {
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

/** The newest backup that the job has made; undefined when there is none. */
export async function findLastDailyBackup(deps: Deps): Promise<BackupFile | undefined> {
  return (await listBackupFiles(deps)).find(({ kind }) => kind === 'daily')
}

/**
 * Opens a backup to be sent. It is read to its end even if it is deleted meanwhile.
 * @throws DomainError NOT_FOUND when it has been deleted
 */
export async function openBackupFile(backup: StoredBackup): Promise<Readable> {
  const archive = await backup.openArchive()
  if (!archive) throw notFound('Backup file')
  return archive
}

/** @throws DomainError NOT_FOUND when no backup has this file name */
export async function findBackupFile(deps: Deps, filename: string): Promise<StoredBackup> {
  const name = filename.endsWith(EXTENSION) ? filename.slice(0, -EXTENSION.length) : ''
  const backup = await deps.backups.find(name)
  if (!backup) throw notFound('Backup file')
  return backup
}
