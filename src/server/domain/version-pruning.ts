import { inTransaction } from '../db/open'
import { listVariantFiles } from '../db/variants.queries'
import { deleteVersions, listPrunableVersions } from '../db/versions.queries'
import type { Deps } from './deps'
import { deleteUnneededFile } from './storage-cleaning'

const MAX_VERSIONS = 30
const MAX_AGE_MS = 90 * 24 * 60 * 60_000

/**
 * Removes a connection's old versions: all but the last 30 of at most 90 days that fit the
 * supplier's storage quota. The published version and retailers' current ones always stay.
 * @returns how many
 */
export async function pruneVersions(deps: Deps, connectionId: number): Promise<number> {
  const { count, files } = await inTransaction(deps.db, async (trx) => {
    const versions = await listPrunableVersions(trx, connectionId)
    const oldest = deps.clock.now() - MAX_AGE_MS
    let keptBytes = 0
    const surplus = versions.filter((version, index) => {
      keptBytes += version.sizeBytes
      // The published version, which is not in this list, is one of the thirty.
      return (
        index >= MAX_VERSIONS - 1 ||
        version.createdAt < oldest ||
        keptBytes > deps.config.maxStoragePerSupplierBytes
      )
    })
    if (surplus.length === 0) return { count: 0, files: [] }
    const ids = surplus.map((version) => version.id)
    const variantFiles = await listVariantFiles(trx, ids)
    await deleteVersions(trx, ids)
    return {
      count: surplus.length,
      files: [...surplus.map((version) => version.sha256), ...variantFiles],
    }
  })
  for (const sha256 of new Set(files)) await deleteUnneededFile(deps, sha256)
  return count
}
