import { isDeepStrictEqual } from 'node:util'

import type { HoldReason } from '../../../shared/schemas/publishing'
import type { ConnectionRow } from '../../db/schema'
import type { Deps } from '../../domain/deps'
import type { FeedReport } from '../../feed/ingest'
import { findRefusedContent, findVersionFacts } from '../versions/version-history.queries'
import { findHoldReasons } from './hold-reasons'

/** What is to become of a readable file: it is published without reasons to hold it. */
export type Verdict = {
  reasons: HoldReason[]
  /** Whether somebody has decided that this content is not to be published. */
  isDiscarded: boolean
}

const FINE: Verdict = { reasons: [], isDiscarded: false }

/** Compares a file that was read with the published one. */
export async function examineFile(
  deps: Deps,
  { id, publishedVersionId, guard, columnPolicy }: ConnectionRow,
  { sha256, report }: { sha256: string; report: FeedReport },
): Promise<Verdict> {
  const before =
    publishedVersionId === null ? undefined : await findVersionFacts(deps.db, publishedVersionId)
  if (!before) return FINE
  const { categoryReading } = report
  if (before.sha256 === sha256 && isDeepStrictEqual(before.categoryReading, categoryReading)) {
    return FINE
  }
  const refused = await findRefusedContent(deps.db, id, sha256)
  const { quantity } = report
  const after = {
    ...report,
    quantityColumn: quantity?.column ?? null,
    quantitySum: quantity?.sum ?? null,
  }
  const { roles } = columnPolicy
  const reasons = findHoldReasons(guard, { before, after }, { roles, lostKeys: null })
  const isRolledBack = refused !== undefined && refused.rolledBackAt !== null
  const isDiscarded = refused !== undefined && refused.discardedAt !== null
  if (isRolledBack) reasons.unshift({ rule: 'rolled-back', fileName: refused.fileName })
  return { reasons, isDiscarded }
}
