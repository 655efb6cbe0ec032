import { DAY_MS } from '../../../../shared/durations'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { hasAddress } from '../../../domain/source-host'
import type { IngestTask } from '../../../files/file-readers'
import type { OpenableSource } from '../../../files/sources/fetch-source'
import type { FileDraft } from '../../../storage/file-store'
import { openSource } from '../../catalogue/connections/open-source'
import { sourceOf } from '../../catalogue/connections/source-config'
import { toVersionReading } from '../../catalogue/versions/versions.queries'
import {
  examineFile,
  findPublished,
  type ExaminedFile,
  type Published,
} from '../publishing/examine-file'
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
  const source = await openSourceOf(deps, run, connection)
  const drafts = createDrafts(deps, run)
  let published: Published | undefined
  const makeTask = async () => {
    published = await findPublished(deps, connection)
    return toTask(connection, drafts, published)
  }
  const discard = (left: FileDraft[]) => Promise.all(left.map((draft) => draft.discard()))
  try {
    const options = { source, signal, onProgress: note, hosts: deps.hosts }
    const result = await deps.readers.run('ingest', makeTask, options)
    if (result.kind === 'unchanged') return result
    const { draft, content, keys, changes, report, etag, lastModified, mediaType } = result
    const written = { file: drafts[draft], keys: drafts.keys, gone: drafts.gone }
    const read = { file: content, keys, report }
    const arrived = { ...read, published, changes, drafts: written, mediaType }
    const examined = await examineFile(deps, connection, arrived)
    signal.throwIfAborted()
    await discard(Object.values(written))
    return { kind: 'file', ...examined, etag, lastModified }
  } catch (error) {
    await discard(Object.values(drafts))
    throw error
  }
}

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

function toTask(
  { columnPolicy, decimalMarks, categoryReading, reading }: ConnectionRow,
  drafts: Drafts,
  published: Published | undefined,
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
    previousEncoding: previous?.encoding ?? null,
    previousHeader: previous?.header,
    previousOrigin: previous?.origin,
    published: published?.file,
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
