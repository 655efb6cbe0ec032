import { DAY_MS } from '../../../../shared/durations'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { hasAddress } from '../../../domain/source-host'
import { FileError } from '../../../files/file-error'
import type { UpdateTask } from '../../../files/file-readers'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import { openSource } from '../../catalogue/connections/open-source'
import { openOverlay, toJoinTask } from '../../catalogue/connections/overlay-settings'
import { sourceOf } from '../../catalogue/connections/source-config'
import { findUpdateBase, updatedVersionId } from '../../catalogue/connections/update-base'
import { findOtherEncoding } from '../../catalogue/versions/updated-versions.queries'
import { findVersionReading } from '../../catalogue/versions/versions.queries'
import { examineFile, type ExaminedFile } from '../publishing/examine-file'
import { openTakenFile } from '../received-files/waiting-files'
import type { SyncRun } from './sync-lease'
import type { NoteProgress } from './sync-progress'

/**
 * Conditional requests are sent for this long; then the whole file is fetched, whatever the source
 * reports.
 */
const FULL_FETCH_EVERY_MS = DAY_MS

/** What a sync has of its source. */
export type Fetched =
  | { kind: 'unchanged' }
  /** It was read before. */
  | ({ kind: 'known' } & Validators)
  | (ExaminedFile & { kind: 'file' } & Validators)
type Validators = { etag: string | null; lastModified: string | null }

/**
 * Fetches a connection's file and has it stored and examined in its canonical form. Scratch files
 * belong to the run's lease and are removed before this returns.
 * @throws FileError for a file that must not replace the last good one
 */
export async function fetchFile(
  deps: Deps,
  run: SyncRun,
  connection: ConnectionRow,
  { note, signal }: { note: NoteProgress; signal: AbortSignal },
): Promise<Fetched> {
  const drafts = {
    source: deps.files.createDraft(run.leaseToken),
    table: deps.files.createDraft(run.leaseToken),
    rewritten: deps.files.createDraft(run.leaseToken),
    keys: deps.files.createDraft(run.leaseToken),
    keyRuns: deps.files.createDraft(run.leaseToken),
    overlay: deps.files.createDraft(run.leaseToken),
  }
  try {
    const source = await openSourceOf(deps, run, connection, drafts.overlay.path)
    const { publishedVersionId, columnPolicy } = connection
    const previous = await findVersionReading(deps.db, publishedVersionId)
    const updates = await toUpdateTask(deps, run, connection)
    const task = {
      source: { ...source, fullName: updates?.fullName ?? null },
      drafts: {
        source: drafts.source.path,
        table: drafts.table.path,
        rewritten: drafts.rewritten.path,
        keys: drafts.keys.path,
        keyRuns: drafts.keyRuns.path,
      },
      keys: { roles: columnPolicy.roles, stockTexts: columnPolicy.stockTexts },
      numbers: { decimalMark: columnPolicy.decimalMark, remembered: connection.decimalMarks },
      categoryReading: connection.categoryReading,
      reading: connection.reading,
      previousEncoding: (await findUpdatedEncoding(deps, connection)) ?? previous?.encoding ?? null,
      previousHeader: previous?.header,
      previousOrigin: previous?.origin,
      updates,
      overlay:
        source.overlay && connection.overlay
          ? { file: source.overlay.file, ...toJoinTask(connection.overlay) }
          : undefined,
    }
    const result = await deps.readers.run('ingest', task, {
      signal,
      onProgress: note,
      hosts: deps.hosts,
    })
    if (result.kind !== 'file') return result
    const { draft, content, keys, report, update, overlay, etag, lastModified, mediaType } = result
    if (updates && !updates.isFull) requireNewer(connection, lastModified)
    const arrived = {
      drafts: { file: drafts[draft], keys: drafts.keys },
      file: content,
      keys,
      report,
      update: update && { ...update, baseId: updatedVersionId(connection) },
      overlay,
      mediaType,
    }
    const examining = { token: run.leaseToken, signal }
    const examined = await examineFile(deps, connection, arrived, examining)
    signal.throwIfAborted()
    return { kind: 'file', ...examined, etag, lastModified }
  } finally {
    await Promise.all(Object.values(drafts).map((draft) => draft.discard()))
  }
}

/** @throws FileError */
async function openSourceOf(
  deps: Deps,
  { received }: SyncRun,
  connection: ConnectionRow,
  overlayFile: string,
): Promise<OpenableSource> {
  if (received) return openTakenFile(deps, received)
  if (!hasAddress(connection)) throw new NothingToRead()
  const { overlay } = connection
  const source = openSource(deps, { ...connection, config: sourceOf(connection), part: 'source' })
  const validators = toValidators(connection, deps.clock.now())
  return {
    ...source,
    ...validators?.source,
    ...(overlay && {
      overlay: {
        source: { ...openOverlay(deps, connection, overlay), ...validators?.overlay },
        file: overlayFile,
      },
    }),
  }
}

/** How the file is read if it may be an update. */
async function toUpdateTask(
  deps: Deps,
  { received }: SyncRun,
  connection: ConnectionRow,
): Promise<UpdateTask | undefined> {
  if (!connection.updates) return undefined
  const { removal, fullName, nextIsFull } = connection.updates
  return {
    removal,
    fullName,
    isFull: received ? received.isFull : nextIsFull || null,
    base: await findUpdateBase(deps, connection, connection.updates),
    knownSha256: received || nextIsFull ? null : connection.outdatedSha256,
  }
}

const findUpdatedEncoding = async ({ db }: Deps, { id, updates }: ConnectionRow) =>
  updates ? findOtherEncoding(db, id) : undefined

/**
 * A mirror that lags behind, or a copy that was put back, would undo what a later update said.
 * @throws FileError when the server says that the file is older than the one before
 */
function requireNewer({ lastModified: before }: ConnectionRow, lastModified: string | null): void {
  if (!before || !lastModified || !(Date.parse(lastModified) < Date.parse(before))) return
  throw new FileError(
    'older-file',
    `The file at the address is of ${lastModified}, and so older than the one that was read before, of ${before}. If it is the right one, say that the next file is a full one.`,
  )
}

/** A sync of a connection without an address, to which no file was sent. */
export class NothingToRead extends Error {}

/** An update was merged onto a file that is not the newest any more: it is read again. */
export class BaseChangedError extends Error {}

/**
 * The validators of the last response; none when the whole file is due. Without those of the source, those of its
 * overlay would only be asked for in vain.
 */
function toValidators(connection: ConnectionRow, now: number) {
  const isDueInFull =
    connection.publishedVersionId === null ||
    connection.lastFullFetchAt === null ||
    now - connection.lastFullFetchAt >= FULL_FETCH_EVERY_MS
  const { etag, lastModified, overlayEtag, overlayLastModified } = connection
  if (isDueInFull || (etag === null && lastModified === null)) return undefined
  return {
    source: { etag, lastModified },
    overlay: { etag: overlayEtag, lastModified: overlayLastModified },
  }
}
