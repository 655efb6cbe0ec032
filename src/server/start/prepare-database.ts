import { formatCountOf } from '../../shared/format'
import type { Deps } from '../domain/deps'
import { removeRestoredAccounts } from '../features/operations/personal-data/remove-restored'
import { sealPlainAddresses } from '../features/operations/sealing/sealing'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { upgradeDatabase, type UpgradeOptions } from './upgrade-database'

/**
 * Migrates the database to the newest schema, as `upgradeDatabase` does, then encrypts what older versions have
 * stored plainly, also after a restore of their backups, and deletes accounts again that a restored backup still
 * had. Returns the names of the migrations that were run.
 */
export async function prepareDatabase(deps: Deps, options: UpgradeOptions): Promise<string[]> {
  const migrations = await upgradeDatabase(deps, options)
  await sealPlainAddresses(deps)
  await removeRestored(deps, options)
  return migrations
}

/** A place of deleted accounts that does not answer now is asked again by the clean-up. */
async function removeRestored(deps: Deps, { report }: UpgradeOptions): Promise<void> {
  try {
    const removed = await removeRestoredAccounts(deps, new AbortController().signal)
    if (removed === 0) return
    report(`Deleted again: ${formatCountOf(removed, 'account')}, deleted since that backup`)
  } catch (err) {
    if (!(err instanceof UnreachableStoreError)) throw err
    deps.logger.warn(
      { err },
      'Which accounts were deleted cannot be read now; the clean-up tries again',
    )
  }
}
