import type { Deps } from '../domain/deps'
import { sealPlainAddresses } from '../features/operations/sealing/sealing'
import { upgradeDatabase, type UpgradeOptions } from './upgrade-database'

/**
 * Migrates the database to the newest schema, as `upgradeDatabase` does, then encrypts what older versions have
 * stored plainly, also after a restore of their backups. Returns the names of the migrations that were run.
 */
export async function prepareDatabase(deps: Deps, options: UpgradeOptions): Promise<string[]> {
  const migrations = await upgradeDatabase(deps, options)
  await sealPlainAddresses(deps)
  return migrations
}
