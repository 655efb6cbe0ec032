import { formatCountOf } from '../../shared/format'
import type { Deps } from '../domain/deps'
import { removeRestoredAccounts } from '../features/operations/personal-data/remove-restored'
import { sealPlainAddresses } from '../features/operations/sealing/sealing'
import { upgradeDatabase, type UpgradeOptions } from './upgrade-database'

/**
 * Migrates the database to the newest schema, as `upgradeDatabase` does, then encrypts what older versions have
 * stored plainly, also after a restore of their backups, and deletes accounts again that a restored backup still
 * had. Returns the names of the migrations that were run.
 */
export async function prepareDatabase(deps: Deps, options: UpgradeOptions): Promise<string[]> {
  const migrations = await upgradeDatabase(deps, options)
  await sealPlainAddresses(deps)
  const removed = await removeRestoredAccounts(deps)
  if (removed > 0) {
    options.report(`Deleted again: ${formatCountOf(removed, 'account')}, deleted since that backup`)
  }
  return migrations
}
