import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { WrittenKeys } from '../../../files/file-readers'
import type { FileReport } from '../../../files/ingest'
import type { FileDraft, StoredFile } from '../../../storage/file-store'
import {
  NO_GONE_ITEMS,
  rememberGoneItems,
  type GoneColumns,
} from '../../catalogue/gone-items/gone-items'
import { checkFile } from './file-checks'
import { judgeFile, type Verdict } from './judge-file'
import { toKeyColumns } from './put-version'

type ReadFile = { file: StoredFile; keys: WrittenKeys | null; report: FileReport }

/** A file that has arrived for a connection and was read, but is not stored yet. */
export type ArrivedFile = ReadFile & {
  drafts: { file: Pick<FileDraft, 'commit'>; keys: Pick<FileDraft, 'commit'> }
  /** The media type that it was sent with. */
  mediaType: string
}

/** A file that is stored and was compared with the published one. */
export type ExaminedFile = ReadFile & {
  verdict: Verdict
  /** The items that are gone with it; none for a file that is not to be published. */
  gone: GoneColumns
}

/**
 * Checks a file that has arrived, stores it, and compares it with the published one. Nothing is published
 * yet: `publishFile` does that in the transaction of the caller.
 * @param token the lease that scratch files belong to
 * @throws FileError for a file that must not replace the last good one
 */
export async function examineFile(
  deps: Deps,
  connection: ConnectionRow,
  { drafts, mediaType, ...read }: ArrivedFile,
  { token, signal }: { token: string; signal: AbortSignal },
): Promise<ExaminedFile> {
  const { keys, report } = read
  await checkFile(deps, connection, report, mediaType)
  await drafts.file.commit(read.file)
  if (keys) await drafts.keys.commit(keys.content)
  const { numbers, categoryReading } = report
  const file = { ...read.file, ...toKeyColumns(keys), numbers, categoryReading }
  const verdict = await judgeFile(deps, connection, { file, report }, signal)
  const { supplierId, publishedVersionId, columnPolicy } = connection
  const { roles } = columnPolicy
  const removed = verdict.difference?.removed ?? null
  const publication = { supplierId, publishedVersionId, file, roles, removed, token }
  const isHeld = verdict.isDiscarded || verdict.reasons.length > 0
  const gone = isHeld ? NO_GONE_ITEMS : await rememberGoneItems(deps, publication, signal)
  return { ...read, verdict, gone }
}
