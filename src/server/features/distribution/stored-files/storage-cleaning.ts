import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/durations'
import { lockFileNames } from '../../../db/file-names-lock'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { CompressedFileRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { findOldestLiveRunStart } from '../../catalogue/connections/connections.queries'
import { listReferencedFiles } from '../../catalogue/versions/versions.queries'
import {
  deleteCompressedFiles,
  deleteUnneededCompressions,
  listCopies,
} from '../compressed-files/compressed-files.queries'
import { isBackingUp, listLeaseTokens } from './leases.queries'

/**
 * The longest time from storing a file that is built, compressed or sent until a row names it: it is as old as
 * its last byte, however long the others took.
 */
const MAX_UNNAMED_MS = 30 * MINUTE_MS
/** The first two digits of hashes. */
const FOLDERS = 256
const FOLDERS_AN_HOUR = Math.ceil(FOLDERS / (DAY_MS / HOUR_MS))
/** A cleaning looks at so many stored files; of more, at those of its hour, so that all have their turn within a day. */
export const LOOKED_AT = 1_000_000
/** Stored files that are looked up together. */
const FILES_AT_ONCE = 500
/**
 * Stored files that are deleted together. Nobody can name a file meanwhile, and on SQLite nobody can write: a
 * bucket deletes so many in a request, or a few rounds of them, a disk in a few milliseconds.
 */
export const DELETED_AT_ONCE = 64

/**
 * Removes what dead runs left behind: scratch files and unfinished backups whose lease has expired,
 * and stored files that no row names.
 * @returns how many of each were removed
 */
export async function cleanStorage(deps: Deps, signal: AbortSignal, lookedAt = LOOKED_AT) {
  const scratchFiles = await deps.files.removeDrafts(() => findLiveLeases(deps))
  await inTransaction(deps.db, deleteUnneededCompressions)
  const unfinishedBackups = await deps.backups.removeDrafts(() => findLiveLeases(deps))
  let storedFiles = 0
  for await (const hashes of listStoredFiles(deps, lookedAt)) {
    const named = await listReferencedFiles(deps.db, hashes)
    const unnamed = hashes.filter((hash) => !named.has(hash))
    storedFiles += await deleteUnneededFiles(deps, unnamed, {
      signal,
      // A file stored since the oldest live run began may belong to a run that has not named it yet.
      findStoredBefore: findOldestLiveStart,
    })
    signal.throwIfAborted()
  }
  return { scratchFiles, unfinishedBackups, storedFiles }
}

/** Yields the hashes of the stored files that are to be looked at, a few hundred at a time. */
async function* listStoredFiles(
  { files, clock }: Pick<Deps, 'files' | 'clock'>,
  lookedAt: number,
): AsyncGenerator<string[]> {
  const first = (Math.floor(clock.now() / HOUR_MS) * FOLDERS_AN_HOUR) % FOLDERS
  const folderOf = (sha256: string) => Number.parseInt(sha256.slice(0, 2), 16)
  const isOfThisHour = (sha256: string) =>
    (folderOf(sha256) - first + FOLDERS) % FOLDERS < FOLDERS_AN_HOUR
  let hashes: string[] = []
  let count = 0
  for await (const { sha256 } of files.list(first.toString(16).padStart(2, '0'))) {
    if (count >= lookedAt && !isOfThisHour(sha256)) break
    count += 1
    hashes.push(sha256)
    if (hashes.length < FILES_AT_ONCE) continue
    yield hashes
    hashes = []
  }
  if (hashes.length > 0) yield hashes
}

type Deletion = {
  signal?: AbortSignal
  /** Only files stored before this instant, in Unix milliseconds, are deleted. */
  findStoredBefore?: (deps: Deps) => Promise<number>
}

/**
 * Deletes those of these stored files that no row names, and their compressed copies. Nobody can
 * name one meanwhile: a run that is about to either did so before, or finds the file gone (`requireStored`).
 * Nothing is deleted while a backup is in progress, because the database copied into it may name files
 * that the live one no longer names.
 * @returns how many of these files are gone
 * @throws the signal's reason; what was deleted before is gone
 */
export async function deleteUnneededFiles(
  deps: Deps,
  sha256s: readonly string[],
  deletion: Deletion = {},
): Promise<number> {
  const hashes = [...new Set(sha256s)]
  let count = 0
  for (let start = 0; start < hashes.length; start += DELETED_AT_ONCE) {
    deletion.signal?.throwIfAborted()
    count += await deleteTogether(deps, hashes.slice(start, start + DELETED_AT_ONCE), deletion)
  }
  return count
}

async function deleteTogether(
  deps: Deps,
  sha256s: readonly string[],
  { findStoredBefore = async () => Infinity }: Deletion,
): Promise<number> {
  // An earlier attempt, whose transaction met another one, may have deleted some.
  const deleted = new Set<string>()
  const compressed = await inTransaction(deps.db, async (trx) => {
    await lockFileNames(trx, 'delete')
    if (await isBackingUp(trx, deps.clock.now())) return []
    const left = sha256s.filter((sha256) => !deleted.has(sha256))
    const named = await listReferencedFiles(trx, left)
    const unnamed = left.filter((sha256) => !named.has(sha256))
    const storedBefore = await findStoredBefore({ ...deps, db: trx })
    for (const sha256 of await deps.files.delete(unnamed, storedBefore)) deleted.add(sha256)
    return deleteCompressedFiles(trx, [...deleted])
  })
  await deleteCopies(deps, compressed)
  return deleted.size
}

/** Deletes the compressed copies of files whose records have been deleted or emptied. */
export async function deleteCopies(
  deps: Deps,
  compressed: readonly CompressedFileRow[],
): Promise<void> {
  const copies = compressed.flatMap(listCopies)
  await deleteUnneededFiles(
    deps,
    copies.map(({ sha256 }) => sha256),
  )
}

/**
 * Must be called in the transaction that names stored files, before it does.
 * @throws Error when one of them was deleted between storing and naming it
 */
export async function requireStored(
  trx: WriteTransaction,
  { files }: Pick<Deps, 'files'>,
  sha256s: readonly string[],
): Promise<void> {
  if (sha256s.length === 0) return
  await lockFileNames(trx, 'name')
  const isStored = await Promise.all(sha256s.map((sha256) => files.has(sha256)))
  if (!isStored.every(Boolean)) throw new Error('The stored file is gone')
}

/** The tables of files that are being built, and sent. */
const ARRIVING = ['variants', 'compressedFiles', 'mergedFiles', 'uploads', 'itemHistories'] as const

async function findOldestLiveStart(deps: Deps): Promise<number> {
  const now = deps.clock.now()
  const arriving = await listLeaseTokens(deps.db, ARRIVING, now)
  const oldestSync = (await findOldestLiveRunStart(deps.db, now)) ?? Infinity
  return Math.min(oldestSync, arriving.length > 0 ? now - MAX_UNNAMED_MS : Infinity)
}

async function findLiveLeases(deps: Deps): Promise<Set<string>> {
  const tables = ['connections', 'cronJobs', 'digests', ...ARRIVING] as const
  return new Set(await listLeaseTokens(deps.db, tables, deps.clock.now()))
}
