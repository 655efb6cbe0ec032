import { isDeepStrictEqual } from 'node:util'

import { foldName } from '../../../shared/categories'
import type { Difference } from '../../../shared/schemas/difference'
import type { HoldReason } from '../../../shared/schemas/publishing'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import type { FeedReport } from '../../feed/ingest'
import type { FileKeys } from '../../feed/keys/file-keys'
import type { StoredFile } from '../../storage/file-store'
import { findRefusedContent, findVersionFacts } from '../versions/version-history.queries'
import { findHoldReasons, toLostKeys } from './hold-reasons'

/** What is to become of a readable file: it is published without reasons to hold it. */
export type Verdict = {
  reasons: HoldReason[]
  /** Whether somebody has decided that this content is not to be published. */
  isDiscarded: boolean
  /** How it differs from the published file; null when that cannot be told. */
  difference: Difference | null
}

const FINE: Verdict = { reasons: [], isDiscarded: false, difference: null }

/** A file that was read and stored, with its key file. */
type NewFile = {
  file: StoredFile
  report: FeedReport
  keys: { content: StoredFile; report: FileKeys } | null
}

/** Compares a file that was read with the published one. */
export async function examineFile(
  deps: Deps,
  { id, publishedVersionId, guard, columnPolicy }: ConnectionRow,
  newFile: NewFile,
  signal: AbortSignal,
): Promise<Verdict> {
  const before =
    publishedVersionId === null ? undefined : await findVersionFacts(deps.db, publishedVersionId)
  if (!before) return FINE
  const { file, report } = newFile
  const isSameReading = isDeepStrictEqual(before.categoryReading, report.categoryReading)
  if (before.sha256 === file.sha256 && isSameReading) return FINE
  const refused = await findRefusedContent(deps.db, id, file.sha256)
  const difference = await findDifference(deps, before, newFile, signal)
  const after = {
    ...report,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
  }
  const { roles } = columnPolicy
  const lostKeys = toLostKeys(before, difference)
  const reasons = findHoldReasons(guard, { before, after }, { roles, lostKeys })
  const isRolledBack = refused !== undefined && refused.rolledBackAt !== null
  const isDiscarded = refused !== undefined && refused.discardedAt !== null
  if (isRolledBack) reasons.unshift({ rule: 'rolled-back', fileName: refused.fileName })
  return { reasons, isDiscarded, difference }
}

/** Compares the keys of two files; null when one has none, or those of another column. */
async function findDifference(
  { files, feeds }: Deps,
  before: NonNullable<Awaited<ReturnType<typeof findVersionFacts>>>,
  { file, report, keys }: NewFile,
  signal: AbortSignal,
): Promise<Difference | null> {
  const { keysSha256, keyColumn } = before
  if (!keys || keysSha256 === null || keyColumn === null) return null
  if (foldName(keyColumn) !== foldName(keys.report.column)) return null
  const older = {
    file: await files.locate(before.sha256),
    keys: await files.locate(keysSha256),
    keyColumn,
    quantityColumn: before.quantityColumn,
  }
  const newer = {
    file: await files.locate(file.sha256),
    keys: await files.locate(keys.content.sha256),
    keyColumn: keys.report.column,
    quantityColumn: report.quantity?.column ?? null,
  }
  return feeds.run('difference', { older, newer }, { signal })
}
