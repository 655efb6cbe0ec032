import type { CronRun, Deps } from '../../../domain/deps'
import type { StoredBackup } from '../../../storage/backup-store'
import { makeBackup } from './make-backup'

/**
 * Makes the backup from which an upgrade can be undone, and removes that of the upgrade before. The daily
 * backups neither count nor remove it.
 * @param run holds the lease of the backup job
 * @throws DomainError when there is too little space, or something to back up is missing or damaged
 */
export async function makeUpgradeBackup(deps: Deps, run: CronRun): Promise<StoredBackup> {
  const { backup } = await makeBackup(deps, run, 'upgrade')
  for (const { name, kind } of await deps.backups.list()) {
    if (kind === 'upgrade' && name !== backup.name) await deps.backups.delete(name)
  }
  return backup
}
