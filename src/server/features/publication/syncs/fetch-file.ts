import { DAY_MS } from '../../../../shared/durations'
import type { UpdateSettings } from '../../../../shared/schemas/updates'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { hasAddress } from '../../../domain/source-host'
import { FileError } from '../../../files/file-error'
import type { IngestTask, UpdateTask } from '../../../files/file-readers'
import type { FileReport } from '../../../files/ingest'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import { inSpan } from '../../../observability/spans'
import type { FileDraft } from '../../../storage/file-store'
import { openSource } from '../../catalogue/connections/open-source'
import { openOverlay, toJoinTask } from '../../catalogue/connections/overlay-settings'
import { sourceOf } from '../../catalogue/connections/source-config'
import { areLeft } from '../../catalogue/connections/transfer-settings'
import { findUpdateBase, updatedVersionId } from '../../catalogue/connections/update-base'
import { findOtherEncoding } from '../../catalogue/versions/updated-versions.queries'
import { toVersionReading } from '../../catalogue/versions/versions.queries'
import {
  examineFile,
  findPublished,
  type ExaminedFile,
  type Published,
} from '../publishing/examine-file'
import { openTakenFile } from '../received-files/waiting-files'
import { followIngest } from './follow-ingest'
import { toRunGate } from './run-host'
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
  | ({ kind: 'known' } & Validators & Found)
  | (ExaminedFile & { kind: 'file' } & Validators & Found)
type Validators = { etag: string | null; lastModified: string | null }
/** Its name at the server, if its address has a pattern. */
type Found = { foundName?: string | undefined }

/**
 * Fetches a connection's file, has it read in its canonical form, examined and stored. Scratch files belong to
 * the run's lease and are removed before this returns.
 * @throws FileError for a file that must not replace the last good one
 */
export async function fetchFile(
  deps: Deps,
  run: SyncRun,
  connection: ConnectionRow,
  { note, signal }: { note: NoteProgress; signal: AbortSignal },
): Promise<Fetched> {
  const second = deps.files.createDraft(run.leaseToken)
  const source = await openSourceOf(deps, run, connection, second.path)
  const drafts = createDrafts(deps, run)
  let published: Published | undefined
  const makeTask = async (): Promise<IngestTask> => {
    published = await findPublished(deps, connection)
    return toTask(connection, {
      drafts,
      published,
      otherEncoding: await findUpdatedEncoding(deps, connection),
      updates: await toUpdateTask(deps, run, connection),
      overlayFile: source.overlay?.file,
    })
  }
  const discard = (left: FileDraft[]) => Promise.all(left.map((draft) => draft.discard()))
  try {
    const hosts = toRunGate(deps, run.host)
    const result = await followIngest(makeTask, note, (make, onProgress) =>
      deps.readers.run('ingest', make, { source, signal, onProgress, hosts }),
    )
    if (result.kind !== 'file') return result
    const { draft, content, keys, changes, update, overlay, ...response } = result
    const report = nameFile(result.report, result)
    const { etag, lastModified, mediaType, foundName } = response
    if (connection.updates && !isSaidFull(run, connection.updates)) {
      requireNewer(connection, lastModified)
    }
    const written = { file: drafts[draft], keys: drafts.keys, gone: drafts.gone }
    const read = {
      file: content,
      keys,
      report,
      update: update && { ...update, baseId: updatedVersionId(connection) },
      overlay,
    }
    const arrived = { ...read, published, changes, drafts: written, mediaType }
    const examined = await inSpan('examine', () => examineFile(deps, connection, arrived))
    signal.throwIfAborted()
    await discard(Object.values(written))
    return { kind: 'file', ...examined, etag, lastModified, foundName }
  } catch (error) {
    await discard(Object.values(drafts))
    throw error
  } finally {
    if (source.overlay) await second.discard()
  }
}

/** What was read of a file says which one it was, if its address has a pattern. */
const nameFile = (
  { dialect, ...report }: FileReport,
  { foundName: fileName }: Found,
): FileReport => ({
  ...report,
  dialect: { ...dialect, ...(fileName !== undefined && { fileName }) },
})

type Drafts = Record<keyof IngestTask['drafts'], FileDraft>

function createDrafts({ files }: Deps, { leaseToken }: SyncRun): Drafts {
  const create = () => files.createDraft(leaseToken)
  return {
    source: create(),
    table: create(),
    rewritten: create(),
    keys: create(),
    keyRuns: create(),
    gone: create(),
  }
}

type TaskParts = Pick<IngestTask, 'updates'> & {
  drafts: Drafts
  published: Published | undefined
  otherEncoding: string | undefined
  /** Where the file of the second address is, if it was asked for. */
  overlayFile: string | undefined
}

function toTask(
  { columnPolicy, decimalMarks, categoryReading, reading, overlay }: ConnectionRow,
  { drafts, published, otherEncoding, updates, overlayFile }: TaskParts,
): IngestTask {
  const previous = published && toVersionReading(published.facts)
  return {
    drafts: {
      source: drafts.source.path,
      table: drafts.table.path,
      rewritten: drafts.rewritten.path,
      keys: drafts.keys.path,
      keyRuns: drafts.keyRuns.path,
      gone: drafts.gone.path,
    },
    keys: { roles: columnPolicy.roles, stockTexts: columnPolicy.stockTexts },
    numbers: { decimalMark: columnPolicy.decimalMark, remembered: decimalMarks },
    categoryReading,
    reading,
    previousEncoding: otherEncoding ?? previous?.encoding ?? null,
    previousHeader: previous?.header,
    previousOrigin: previous?.origin,
    updates,
    overlay:
      overlay && overlayFile !== undefined
        ? { file: overlayFile, ...toJoinTask(overlay) }
        : undefined,
    published: published?.file,
  }
}

/** @throws FileError */
async function openSourceOf(
  deps: Deps,
  { received, host }: SyncRun,
  connection: ConnectionRow,
  overlayFile: string,
): Promise<OpenableSource> {
  const fullName = connection.updates?.fullName ?? null
  if (received) return { ...(await openTakenFile(deps, received)), fullName }
  if (!hasAddress(connection)) throw new NothingToRead()
  const { overlay } = connection
  const source = openSource(deps, { ...connection, config: sourceOf(connection), part: 'source' })
  const validators = toValidators(connection, deps.clock.now())
  return {
    ...source,
    fullName,
    enteredHost: host?.name,
    ...afterReadFile(connection),
    ...validators?.source,
    ...(overlay && {
      overlay: {
        source: { ...openOverlay(deps, connection, overlay), ...validators?.overlay },
        file: overlayFile,
      },
    }),
  }
}

/** What is expected at a server where the file that was read is moved or deleted. */
function afterReadFile(connection: ConnectionRow) {
  const { readFile } = connection
  if (areLeft(connection) || !readFile || readFile.etag === '') return {}
  const { foundName, changedAt } = readFile
  return {
    // It is not there any more, and nothing new is a fault of nobody.
    mayBeGone: true,
    // An older file that is left must not take its place.
    ...(foundName !== null && changedAt !== null && { notBefore: { name: foundName, changedAt } }),
  }
}

/** How the file is read if it may be an update. */
async function toUpdateTask(
  deps: Deps,
  run: SyncRun,
  connection: ConnectionRow,
): Promise<UpdateTask | undefined> {
  if (!connection.updates) return undefined
  const { removal, fullName, nextIsFull } = connection.updates
  return {
    removal,
    fullName,
    isFull: isSaidFull(run, connection.updates),
    base: await findUpdateBase(deps, connection, connection.updates),
    knownSha256: run.received || nextIsFull ? null : connection.outdatedSha256,
  }
}

/** Whether the file is a full one, as was said of it; null: its name tells. */
const isSaidFull = ({ received }: SyncRun, { nextIsFull }: UpdateSettings): boolean | null =>
  received ? received.isFull : nextIsFull || null

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
