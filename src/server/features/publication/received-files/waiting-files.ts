import type { Receipt } from '../../../../shared/schemas/file'
import type { WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { isLeased } from '../../../domain/lease'
import { FileError } from '../../../files/file-error'
import type { StoredSource } from '../../../files/sources/stored-source'
import { updateVersion } from '../../catalogue/versions/version-history.queries'
import { deleteUnneededFiles } from '../../distribution/stored-files/storage-cleaning'
import type { Publication } from '../publishing/publish-file'
import { listWaitingFiles, updateReceivedFile } from './received-files.queries'

/** A received file that a run reads instead of its connection's address. */
export type TakenFile = Receipt & {
  id: number
  sha256: string
  sizeBytes: number
  /** Whether its sender says that it is a full file; null: nothing was said of it. */
  isFull: boolean | null
}

/** Decided on: its bytes are not needed any more. */
const ENDED = { sha256: null, leaseToken: null } as const

/**
 * Lets a run read a waiting file of its connection, if there is one: the newest, or of updates the oldest,
 * because each of them counts.
 */
export async function takeWaitingFile(
  trx: WriteTransaction,
  connection: Owned<ConnectionRow>,
  { leaseToken, now }: { leaseToken: string; now: number },
): Promise<TakenFile | null> {
  const waiting = await listWaitingFiles(trx, connection.id)
  const next = connection.updates ? waiting.at(-1) : waiting[0]
  if (!next || next.sha256 === null) return null
  if (!connection.updates) {
    for (const { id } of waiting.slice(1)) {
      await updateReceivedFile(trx, id, toSkipped(NEWER_ARRIVED, now))
    }
  }
  const { id, fileName, sha256, sizeBytes, isFull, linkEnd, way } = next
  await updateReceivedFile(trx, id, { leaseToken })
  return {
    id,
    fileName,
    sha256,
    sizeBytes,
    isFull,
    isByLink: linkEnd !== null,
    ...(way && { way }),
  }
}

export const NEWER_ARRIVED = 'A newer file arrived before this one was read.'

const toSkipped = (message: string, endedAt: number) =>
  ({ ...ENDED, state: 'skipped', message, endedAt }) as const

/**
 * Skips the files of a connection that wait, but for the one that a run is reading.
 * @returns what was stored of them, to be removed
 */
export async function skipWaitingFiles(
  trx: WriteTransaction,
  connection: Owned<ConnectionRow>,
  { now, message }: { now: number; message: string },
): Promise<string[]> {
  const run = isLeased(connection, now) ? connection.leaseToken : null
  const waiting = await listWaitingFiles(trx, connection.id)
  const skipped = waiting.filter(({ leaseToken }) => leaseToken === null || leaseToken !== run)
  for (const { id } of skipped) await updateReceivedFile(trx, id, toSkipped(message, now))
  return skipped.flatMap(({ sha256 }) => sha256 ?? [])
}

/** Records what became of a file that a run has read, and of a version that it has come so. */
export async function recordPublication(
  trx: WriteTransaction,
  { id, fileName, isByLink, way }: TakenFile,
  publication: Publication,
  { rowCount, now }: { rowCount: number; now: number },
): Promise<void> {
  const { outcome, versionId } = publication
  if (outcome === 'published' || outcome === 'held') {
    const received = { fileName, isByLink, ...(way && { way }) }
    await updateVersion(trx, publication.versionId, { received })
  }
  await updateReceivedFile(trx, id, {
    ...ENDED,
    state: outcome === 'discarded' ? 'refused' : outcome,
    message: outcome === 'discarded' ? DISCARDED : outcome === 'held' ? publication.reason : null,
    versionId,
    rowCount,
    endedAt: now,
  })
}

const DISCARDED = 'This is the file that was held and discarded before.'

/** Records why a file cannot be used. */
export function recordRefusal(
  trx: WriteTransaction,
  { id }: TakenFile,
  { message, now }: { message: string; now: number },
): Promise<void> {
  return updateReceivedFile(trx, id, { ...ENDED, state: 'refused', message, endedAt: now })
}

/** @throws FileError when it is not stored any more */
export async function openTakenFile(
  { files }: Deps,
  { sha256, fileName, sizeBytes }: TakenFile,
): Promise<StoredSource> {
  if (!(await files.has(sha256))) {
    throw new FileError('not-stored', 'The file is gone from the server. Send it again.')
  }
  return { type: 'STORED', path: await files.locate(sha256), fileName, sizeBytes }
}

/** Removes stored bytes that no file waits for any more. Errors are only logged: the clean-up job does the same. */
export async function removeOriginals(deps: Deps, hashes: readonly string[]): Promise<void> {
  await deleteUnneededFiles(deps, hashes).catch((err: unknown) =>
    deps.logger.error({ err }, 'A received file could not be removed'),
  )
}
