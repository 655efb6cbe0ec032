import { describeSource } from '../../../shared/file-source'
import { describeJoin } from '../../../shared/join-text'
import type { FileSource } from '../../../shared/schemas/file'
import type { JoinCounts } from '../../../shared/schemas/overlay'
import type { UpdateCounts } from '../../../shared/schemas/updates'
import { describeUpdate } from '../../../shared/update-text'
import { Truncated } from '../layout/truncated'

/** Where a file came from, as a line of its own; nothing for a whole file that was fetched. */
export function SourceNote({ source }: { source: FileSource | null }) {
  const text = source && describeSource(source)
  return text ? <Truncated text={`From ${text}`} lines={2} tone="note" /> : null
}

/** What came of joining the file of a second address, as a line of its own; nothing without one. */
export const JoinNote = ({ joined }: { joined: JoinCounts | null }) =>
  joined && <Truncated text={describeJoin(joined)} lines={2} tone="note" />

/** What the update did of which a file came, as a line of its own; nothing for a full file. */
export const UpdateNote = ({ update }: { update: UpdateCounts | null }) =>
  update && <Truncated text={`By an ${describeUpdate(update)}`} lines={2} tone="note" />
