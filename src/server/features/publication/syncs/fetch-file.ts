import { DAY_MS } from '../../../../shared/durations'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { hasAddress } from '../../../domain/source-host'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import { openSource } from '../../catalogue/connections/open-source'
import { sourceOf } from '../../catalogue/connections/source-config'
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
  | (ExaminedFile & { kind: 'file'; etag: string | null; lastModified: string | null })

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
  }
  try {
    const source = await openSourceOf(deps, run, connection)
    const { publishedVersionId, columnPolicy } = connection
    const previous = await findVersionReading(deps.db, publishedVersionId)
    const task = {
      source,
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
      previousEncoding: previous?.encoding ?? null,
      previousHeader: previous?.header,
      previousOrigin: previous?.origin,
    }
    const result = await deps.readers.run('ingest', task, {
      signal,
      onProgress: note,
      hosts: deps.hosts,
    })
    if (result.kind === 'unchanged') return result
    const { draft, content, keys, report, etag, lastModified, mediaType } = result
    const arrived = {
      drafts: { file: drafts[draft], keys: drafts.keys },
      file: content,
      keys,
      report,
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
): Promise<OpenableSource> {
  if (received) return openTakenFile(deps, received)
  if (!hasAddress(connection)) throw new NothingToRead()
  const source = openSource(deps, { ...connection, config: sourceOf(connection) })
  return { ...source, ...toValidators(connection, deps.clock.now()) }
}

/** A sync of a connection without an address, to which no file was sent. */
export class NothingToRead extends Error {}

/** The validators of the last response; none when the whole file is due. */
function toValidators(connection: ConnectionRow, now: number) {
  const isDueInFull =
    connection.publishedVersionId === null ||
    connection.lastFullFetchAt === null ||
    now - connection.lastFullFetchAt >= FULL_FETCH_EVERY_MS
  const { etag, lastModified } = connection
  return isDueInFull ? {} : { etag, lastModified }
}
