import { findOldestLiveRunStart, listLeaseTokens } from '../db/connections.queries'
import { listCronJobLeaseTokens } from '../db/cron-jobs.queries'
import { listVariantLeaseTokens } from '../db/variants.queries'
import { isFileReferenced } from '../db/versions.queries'
import { isBackingUp } from './backups'
import type { Deps } from './deps'

/** No filtered file takes longer to build. */
const MAX_BUILD_MS = 30 * 60_000

/**
 * Removes what dead runs have left: scratch files and unfinished backups whose lease is over, and files
 * nothing names.
 * @returns how many of each
 */
export async function cleanStorage(deps: Deps, signal: AbortSignal) {
  const scratchFiles = await deps.files.removeDrafts(() => findLiveLeases(deps))
  const unfinishedBackups = await deps.backups.removeDrafts(() => findLiveLeases(deps))
  let storedFiles = 0
  for await (const { sha256 } of deps.files.list()) {
    signal.throwIfAborted()
    if (await deleteUnneededFile(deps, sha256)) storedFiles += 1
  }
  return { scratchFiles, unfinishedBackups, storedFiles }
}

/**
 * Deletes a stored file that no version or variant names. One written since the oldest live run
 * began stays: that run may be about to name it. While a backup is being made all stay: its database
 * may name what is no longer named by ours.
 * @returns whether it was deleted
 */
export async function deleteUnneededFile(deps: Deps, sha256: string): Promise<boolean> {
  if (await isFileReferenced(deps.db, sha256)) return false
  return deps.files.deleteIf(sha256, async (storedAt) => {
    const oldest = await findOldestLiveStart(deps)
    return storedAt < oldest && !(await isFileReferenced(deps.db, sha256))
  })
}

async function findOldestLiveStart(deps: Deps): Promise<number> {
  if (await isBackingUp(deps)) return -Infinity
  const now = deps.clock.now()
  const isBuilding = (await listVariantLeaseTokens(deps.db, now)).length > 0
  const oldestSync = (await findOldestLiveRunStart(deps.db, now)) ?? Infinity
  return Math.min(oldestSync, isBuilding ? now - MAX_BUILD_MS : Infinity)
}

async function findLiveLeases(deps: Deps): Promise<Set<string>> {
  const now = deps.clock.now()
  return new Set([
    ...(await listLeaseTokens(deps.db, now)),
    ...(await listVariantLeaseTokens(deps.db, now)),
    ...(await listCronJobLeaseTokens(deps.db, now)),
  ])
}
