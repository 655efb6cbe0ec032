import type { Readable } from 'node:stream'

import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import type { StoredBackup } from '../../../storage/backup-store'

/** What the file of a backup has after its name. */
export const EXTENSION = '.tar'

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
