import { findOldestLiveRunStart, listLeaseTokens } from '../db/connections.queries'
import { listVariantLeaseTokens } from '../db/variants.queries'
import { isFileReferenced } from '../db/versions.queries'
import { findLiveBackup } from './backups'
import type { Deps } from './deps'

/** No filtered file takes longer to build. */
const MAX_BUILD_MS = 30 * 60_000

/** Removes what dead runs have left: scratch files whose lease is over, and files nothing names. */
export async function cleanStorage(deps: Deps): Promise<void> {
  await deps.files.removeDrafts(() => findLiveLeases(deps))
  for await (const { sha256 } of deps.files.list()) await deleteUnneededFile(deps, sha256)
}

/**
 * Deletes a stored file that no version or variant names. One written since the oldest live run
 * began stays: that run may be about to name it. While a backup is being made all stay: its database
 * may name what is no longer named by ours.
 */
export async function deleteUnneededFile(deps: Deps, sha256: string): Promise<void> {
  if (await isFileReferenced(deps.db, sha256)) return
  await deps.files.deleteIf(sha256, async (storedAt) => {
    const oldest = await findOldestLiveStart(deps)
    return storedAt < oldest && !(await isFileReferenced(deps.db, sha256))
  })
}

async function findOldestLiveStart(deps: Deps): Promise<number> {
  if ((await findLiveBackup(deps)) !== null) return -Infinity
  const now = deps.clock.now()
  const isBuilding = (await listVariantLeaseTokens(deps.db, now)).length > 0
  const oldestSync = (await findOldestLiveRunStart(deps.db, now)) ?? Infinity
  return Math.min(oldestSync, isBuilding ? now - MAX_BUILD_MS : Infinity)
}

async function findLiveLeases(deps: Deps): Promise<Set<string>> {
  const now = deps.clock.now()
  const syncs = await listLeaseTokens(deps.db, now)
  return new Set([...syncs, ...(await listVariantLeaseTokens(deps.db, now))])
}
