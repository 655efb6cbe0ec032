import { describeSource } from '../../../shared/file-source'
import type { FileSource } from '../../../shared/schemas/file'
import type { UpdateCounts } from '../../../shared/schemas/updates'
import { describeUpdate } from '../../../shared/update-text'
import { Truncated } from '../layout/truncated'

/** Where a file came from, as a line of its own; nothing for a whole file that was fetched. */
export function SourceNote({ source }: { source: FileSource | null }) {
  const text = source && describeSource(source)
  return text ? <Truncated text={`From ${text}`} lines={2} tone="note" /> : null
}

/** What the update did of which a file came, as a line of its own; nothing for a full file. */
export const UpdateNote = ({ update }: { update: UpdateCounts | null }) =>
  update && <Truncated text={`By an ${describeUpdate(update)}`} lines={2} tone="note" />
