import { findUnknownMigrations } from '../db/migrate'
import type { NewerDatabaseError } from '../db/newer-database'
import type { Deps } from '../domain/deps'
import { toRestoreCommand } from '../restore/restore-command'
import { toRestorable } from '../storage/backup-place'

/**
 * Explains that a newer version has migrated the database.
 * @returns both versions, and what to do: the newest backup that this version can restore is named
 */
export async function explainNewerDatabase(
  deps: Pick<Deps, 'config' | 'backups'>,
  { newest, ours }: NewerDatabaseError,
): Promise<{ problem: string; advice: string }> {
  const { productVersion } = deps.config
  const problem = `A newer version of the product has migrated the database to ${newest}, and this version, ${productVersion}, knows migrations up to ${ours}`
  const backup = await findUsableBackup(deps)
  const install = 'Install the newer version here too'
  if (!backup) return { problem, advice: `${install}: no backup is from before.` }
  const command = toRestoreCommand(toRestorable(deps.config, backup), { isReplacing: true })
  return { problem, advice: `${install}, or go back to the newest backup from before: ${command}` }
}

/** The name of the newest backup whose database this version knows; undefined when none can be found. */
async function findUsableBackup({ backups }: Pick<Deps, 'backups'>): Promise<string | undefined> {
  // What is wrong with the store of the backups is another matter.
  const known = await backups.list().catch(() => [])
  return known.find(({ manifest }) => findUnknownMigrations(manifest.migrations).length === 0)?.name
}
