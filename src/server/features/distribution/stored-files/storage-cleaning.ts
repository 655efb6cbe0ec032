import { MINUTE_MS } from '../../../../shared/durations'
import { lockFileNames } from '../../../db/file-names-lock'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { CompressedFileRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findOldestLiveRunStart } from '../../catalogue/connections/connections.queries'
import { isFileReferenced, listReferencedFiles } from '../../catalogue/versions/versions.queries'
import {
  deleteCompressedFile,
  deleteUnneededCompressions,
  listCopies,
} from '../compressed-files/compressed-files.queries'
import { findOldestUploadStart, isBackingUp, listLeaseTokens } from './leases.queries'

/** The longest time that building or compressing a file may take. */
const MAX_BUILD_MS = 30 * MINUTE_MS
/** Stored files that are looked up together. */
const FILES_AT_ONCE = 500

/**
 * Removes what dead runs left behind: scratch files and unfinished backups whose lease has expired,
 * and stored files that no row names.
 * @returns how many of each were removed
 */
export async function cleanStorage(deps: Deps, signal: AbortSignal) {
  const scratchFiles = await deps.files.removeDrafts(() => findLiveLeases(deps))
  await inTransaction(deps.db, deleteUnneededCompressions)
  const unfinishedBackups = await deps.backups.removeDrafts(() => findLiveLeases(deps))
  let storedFiles = 0
  // A file stored since the oldest live run began may belong to a run that has not named it yet.
  const mayDelete = async (inTrx: Deps, storedAt: number) =>
    storedAt < (await findOldestLiveStart(inTrx))
  for await (const hashes of listStoredFiles(deps)) {
    const named = await listReferencedFiles(deps.db, hashes)
    for (const sha256 of hashes.filter((hash) => !named.has(hash))) {
      signal.throwIfAborted()
      if (await deleteUnneededFile(deps, sha256, mayDelete)) storedFiles += 1
    }
    signal.throwIfAborted()
  }
  return { scratchFiles, unfinishedBackups, storedFiles }
}

/** Yields the hashes of all stored files, a few hundred at a time. */
async function* listStoredFiles({ files }: Pick<Deps, 'files'>): AsyncGenerator<string[]> {
  let hashes: string[] = []
  for await (const { sha256 } of files.list()) {
    hashes.push(sha256)
    if (hashes.length < FILES_AT_ONCE) continue
    yield hashes
    hashes = []
  }
  if (hashes.length > 0) yield hashes
}

/**
 * Deletes a stored file that no row names, and its compressed copies. Nobody can name it
 * meanwhile: a run that is about to either did so before, or finds the file gone (`requireStored`).
 * Nothing is deleted while a backup is in progress, because the database copied into it may name files
 * that the live one no longer names.
 * @param mayDelete a further condition; receives when the file was stored, in Unix milliseconds
 * @returns whether the file was deleted
 */
export async function deleteUnneededFile(
  deps: Deps,
  sha256: string,
  mayDelete: (deps: Deps, storedAt: number) => Promise<boolean> = async () => true,
): Promise<boolean> {
  let isDeleted = false
  const deleted = await inTransaction(deps.db, async (trx) => {
    await lockFileNames(trx, 'delete')
    const inTrx = { ...deps, db: trx }
    if (await isBackingUp(trx, deps.clock.now())) return undefined
    // An earlier attempt, whose transaction met another one, may have deleted it.
    isDeleted ||= await deps.files.deleteIf(
      sha256,
      async (storedAt) =>
        (await mayDelete(inTrx, storedAt)) && !(await isFileReferenced(trx, sha256)),
    )
    return isDeleted ? { compressed: await deleteCompressedFile(trx, sha256) } : undefined
  })
  if (deleted?.compressed) await deleteCopies(deps, deleted.compressed)
  return deleted !== undefined
}

/** Deletes the compressed copies of a file whose record has been deleted or emptied. */
export async function deleteCopies(deps: Deps, compressed: CompressedFileRow): Promise<void> {
  for (const { sha256 } of listCopies(compressed)) await deleteUnneededFile(deps, sha256)
}

/**
 * Must be called in the transaction that names a stored file, before it does.
 * @throws Error when the file was deleted between storing and naming it
 */
export async function requireStored(
  trx: WriteTransaction,
  { files }: Pick<Deps, 'files'>,
  sha256: string,
): Promise<void> {
  await lockFileNames(trx, 'name')
  if (!(await files.has(sha256))) throw new Error('The stored file is gone')
}

/** The tables of files that are being built. */
const BUILDING = ['variants', 'compressedFiles'] as const

async function findOldestLiveStart(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const builders = await listLeaseTokens(deps.db, BUILDING, now)
  const oldestSync = (await findOldestLiveRunStart(deps.db, now)) ?? Infinity
  const oldestUpload = (await findOldestUploadStart(deps.db, now)) ?? Infinity
  return Math.min(oldestSync, oldestUpload, builders.length > 0 ? now - MAX_BUILD_MS : Infinity)
}

async function findLiveLeases(deps: Deps): Promise<Set<string>> {
  const tables = ['connections', 'cronJobs', 'uploads', ...BUILDING] as const
  return new Set(await listLeaseTokens(deps.db, tables, deps.clock.now()))
}
