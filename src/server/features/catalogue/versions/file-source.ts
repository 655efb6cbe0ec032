import type { SyncOutcome } from '../../../../shared/constants'
import type { Dialect, FileSource } from '../../../../shared/schemas/file'
import type { VersionRow } from '../../../db/schema'

/** Where the file of a version came from. */
export const toFileSource = ({
  dialect,
  received,
}: Pick<VersionRow, 'dialect' | 'received'>): FileSource => ({
  origin: dialect.origin ?? null,
  received,
})

type RunWithFile = {
  outcome: SyncOutcome | null
  dialect: Dialect | null
  received: VersionRow['received']
}

/** Where the file of a run came from; null if it has brought none, or it is not stored any more. */
export const toRunSource = ({ outcome, dialect, received }: RunWithFile): FileSource | null =>
  dialect !== null && (outcome === 'published' || outcome === 'held')
    ? toFileSource({ dialect, received })
    : null
