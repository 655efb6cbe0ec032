import { isDeepStrictEqual } from 'node:util'

import type { Comparison } from '../../../../shared/schemas/comparison'
import type { HoldReason } from '../../../../shared/schemas/publishing'
import type { ConnectionRow } from '../../../db/schema'
import type { AppliedOverlay } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import type { ReadOverlay, ReadUpdate, WrittenKeys } from '../../../files/file-readers'
import type { FileReport } from '../../../files/ingest'
import type { FileDraft, StoredFile } from '../../../storage/file-store'
import { compareStored, type ComparableFile } from '../../catalogue/comparisons/compare-versions'
import {
  NO_GONE_ITEMS,
  rememberGoneItems,
  type GoneColumns,
} from '../../catalogue/gone-items/gone-items'
import {
  findRefusedContent,
  findVersionFacts,
  type VersionFacts,
} from '../../catalogue/versions/version-history.queries'
import { checkFile } from './file-checks'
import { findHoldReasons } from './hold-reasons'
import { toKeyColumns } from './put-version'

type ReadFile = {
  file: StoredFile
  keys: WrittenKeys | null
  report: FileReport
  /** What was read of it if the connection takes updates, and the version that it was merged onto. */
  update: (ReadUpdate & { baseId: number | null }) | null
  /** What was joined to it. */
  overlay: ReadOverlay | null
}

/** What is kept of an overlay. */
export const toAppliedOverlay = ({ counts, replaced }: ReadOverlay): AppliedOverlay => ({
  ...counts,
  replaced,
})

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
  const { supplierId, publishedVersionId, columnPolicy } = connection
  const older = await findVersionFacts(deps.db, publishedVersionId)
  const verdict = await judgeFile(deps, connection, { ...read, older, file }, signal)
  const { roles } = columnPolicy
  const removed = verdict.difference?.removed ?? null
  const publication = { supplierId, older, file, roles, removed, token }
  const isHeld = verdict.isDiscarded || verdict.reasons.length > 0
  const gone = isHeld ? NO_GONE_ITEMS : await rememberGoneItems(deps, publication, signal)
  return { ...read, verdict, gone }
}

/** What is to become of a readable file: it is published without reasons to hold it. */
type Verdict = {
  reasons: HoldReason[]
  /** Whether somebody has decided that this content is not to be published. */
  isDiscarded: boolean
  /** How it differs from the published file; null when that cannot be told. */
  difference: Comparison | null
}

const FINE: Verdict = { reasons: [], isDiscarded: false, difference: null }

/** Compares a file that was read and stored with the published one. */
async function judgeFile(
  deps: Deps,
  { id, guard, columnPolicy }: ConnectionRow,
  {
    older: before,
    file,
    report,
    overlay,
  }: Pick<ReadFile, 'report' | 'overlay'> & {
    older: VersionFacts | undefined
    file: ComparableFile
  },
  signal: AbortSignal,
): Promise<Verdict> {
  if (!before) return FINE
  const isSameReading = isDeepStrictEqual(before.categoryReading, report.categoryReading)
  if (before.sha256 === file.sha256 && isSameReading) return FINE
  const refused = await findRefusedContent(deps.db, id, file.sha256)
  const difference = await compareStored(deps, { older: before, newer: file }, signal)
  const after = {
    ...report,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
    fromOverlay: overlay && toAppliedOverlay(overlay),
  }
  const { roles } = columnPolicy
  const reasons = findHoldReasons(guard, { before, after }, { roles, difference })
  const isRolledBack = refused !== undefined && refused.rolledBackAt !== null
  const isDiscarded = refused !== undefined && refused.discardedAt !== null
  if (isRolledBack) reasons.unshift({ rule: 'rolled-back', fileName: refused.fileName })
  return { reasons, isDiscarded, difference }
}
