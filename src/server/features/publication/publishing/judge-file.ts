import { isDeepStrictEqual } from 'node:util'

import type { Difference } from '../../../../shared/schemas/difference'
import type { HoldReason } from '../../../../shared/schemas/publishing'
import type { ConnectionRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { FileReport } from '../../../files/ingest'
import { compareFiles, type ComparableFile } from '../../catalogue/comparisons/compare-versions'
import {
  findRefusedContent,
  findVersionFacts,
} from '../../catalogue/versions/version-history.queries'
import { findHoldReasons } from './hold-reasons'

/** What is to become of a readable file: it is published without reasons to hold it. */
export type Verdict = {
  reasons: HoldReason[]
  /** Whether somebody has decided that this content is not to be published. */
  isDiscarded: boolean
  /** How it differs from the published file; null when that cannot be told. */
  difference: Difference | null
}

const FINE: Verdict = { reasons: [], isDiscarded: false, difference: null }

/** Compares a file that was read and stored with the published one. */
export async function judgeFile(
  deps: Deps,
  { id, publishedVersionId, guard, columnPolicy }: ConnectionRow,
  { file, report }: { file: ComparableFile; report: FileReport },
  signal: AbortSignal,
): Promise<Verdict> {
  const before =
    publishedVersionId === null ? undefined : await findVersionFacts(deps.db, publishedVersionId)
  if (!before) return FINE
  const isSameReading = isDeepStrictEqual(before.categoryReading, report.categoryReading)
  if (before.sha256 === file.sha256 && isSameReading) return FINE
  const refused = await findRefusedContent(deps.db, id, file.sha256)
  const difference = await compareFiles(deps, { older: before, newer: file }, signal)
  const after = {
    ...report,
    quantityColumn: report.quantity?.column ?? null,
    quantitySum: report.quantity?.sum ?? null,
  }
  const { roles } = columnPolicy
  const reasons = findHoldReasons(guard, { before, after }, { roles, difference })
  const isRolledBack = refused !== undefined && refused.rolledBackAt !== null
  const isDiscarded = refused !== undefined && refused.discardedAt !== null
  if (isRolledBack) reasons.unshift({ rule: 'rolled-back', fileName: refused.fileName })
  return { reasons, isDiscarded, difference }
}
