import { inTransaction } from '../../db/open'
import type { Deps } from '../../domain/deps'
import { isBackingUp } from '../backups/backups'
import { findOldestLiveRunStart, listLeaseTokens } from '../connections/connections.queries'
import { listCronJobLeaseTokens } from '../cron-jobs/cron-jobs.queries'
import { listVariantLeaseTokens } from '../variants/variants.queries'
import { isFileReferenced } from '../versions/versions.queries'

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
    // One written since the oldest live run began may be about to be named by it.
    const isLeft = async (inTrx: Deps, storedAt: number) =>
      storedAt < (await findOldestLiveStart(inTrx))
    if (await isFileReferenced(deps.db, sha256)) continue
    if (await deleteUnneededFile(deps, sha256, isLeft)) storedFiles += 1
  }
  return { scratchFiles, unfinishedBackups, storedFiles }
}

/**
 * Deletes a stored file that no version or variant names. The write lock is held meanwhile: a run
 * that is about to name the same content comes before, or finds the file gone (`requireStored`).
 * While a backup is being made all stay: its database may name what is no longer named by ours.
 * @param isLeft what else must hold of a file that was stored at this time
 * @returns whether it was deleted
 */
export function deleteUnneededFile(
  deps: Deps,
  sha256: string,
  isLeft: (deps: Deps, storedAt: number) => Promise<boolean> = async () => true,
): Promise<boolean> {
  return inTransaction(deps.db, async (trx) => {
    const inTrx = { ...deps, db: trx }
    if (await isBackingUp(inTrx)) return false
    return deps.files.deleteIf(
      sha256,
      async (storedAt) => (await isLeft(inTrx, storedAt)) && !(await isFileReferenced(trx, sha256)),
    )
  })
}

/**
 * To be called in the transaction that names a stored file.
 * @throws Error when the file was deleted after it was stored, because nothing named it
 */
export async function requireStored(deps: Deps, sha256: string): Promise<void> {
  if (!(await deps.files.has(sha256))) throw new Error('The stored file is gone')
}

async function findOldestLiveStart(deps: Deps): Promise<number> {
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
