import type { SyncOutcome } from '../../../../shared/constants'
import type { Dialect, FileSource } from '../../../../shared/schemas/file'
import type { JoinCounts } from '../../../../shared/schemas/overlay'
import type { UpdateCounts } from '../../../../shared/schemas/updates'
import type { VersionRow } from '../../../db/schema'

/** Where the file of a version came from. */
export const toFileSource = ({
  dialect,
  received,
}: Pick<VersionRow, 'dialect' | 'received'>): FileSource => ({
  origin: dialect.origin ?? null,
  ...(dialect.fileName !== undefined && { fileName: dialect.fileName }),
  received,
})

/** What the update did of which a version came; null without one. */
export function toUpdate({ fromUpdate }: Pick<VersionRow, 'fromUpdate'>): UpdateCounts | null {
  if (!fromUpdate) return null
  const { sha256: _, ...counts } = fromUpdate
  return counts
}

type RunWithFile = {
  outcome: SyncOutcome | null
  dialect: Dialect | null
  received: VersionRow['received']
}

const hasFile = ({ outcome }: Pick<RunWithFile, 'outcome'>) =>
  outcome === 'published' || outcome === 'held'

/** Where the file of a run came from; null if it has brought none, or it is not stored any more. */
export const toRunSource = ({ outcome, dialect, received }: RunWithFile): FileSource | null =>
  dialect !== null && hasFile({ outcome }) ? toFileSource({ dialect, received }) : null

/** What came of joining the overlay of a version; null without one. */
export function toJoin({ fromOverlay }: Pick<VersionRow, 'fromOverlay'>): JoinCounts | null {
  if (!fromOverlay) return null
  const { replaced: _, ...counts } = fromOverlay
  return counts
}

/** What came of joining the overlay of a run; null if it has brought none. */
export const toRunJoin = ({
  outcome,
  fromOverlay,
}: Pick<RunWithFile, 'outcome'> & Pick<VersionRow, 'fromOverlay'>): JoinCounts | null =>
  hasFile({ outcome }) ? toJoin({ fromOverlay }) : null

/** What the update of a run did; null if it has brought none. */
export const toRunUpdate = ({
  outcome,
  fromUpdate,
}: Pick<RunWithFile, 'outcome'> & Pick<VersionRow, 'fromUpdate'>): UpdateCounts | null =>
  hasFile({ outcome }) ? toUpdate({ fromUpdate }) : null
