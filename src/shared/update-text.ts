import { formatCount, formatCountOf } from './format'
import type { Gap, UpdateCounts } from './schemas/updates'

/** `update of 37 items: 30 changed, 5 new, 2 removed`. */
export function describeUpdate({ items, changed, added, removed }: UpdateCounts): string {
  const parts = [
    changed > 0 && `${formatCount(changed)} changed`,
    added > 0 && `${formatCount(added)} new`,
    removed > 0 && `${formatCount(removed)} removed`,
  ].filter((part) => part !== false)
  const what = parts.length > 0 ? parts.join(', ') : 'nothing changed'
  return `update of ${formatCountOf(items, 'item')}: ${what}`
}

/** How it came about that the published file lacks something. */
const CAUSES: Record<Gap['cause'], string> = {
  discarded: 'A held file was discarded, and the updates in it are missing in the published file.',
  'rolled-back':
    'An earlier file was published again. Updates that came after it are missing, and later ones go onto it.',
  refused:
    'A file that was sent could not be used. If its changes have not been sent again since, they are missing in the published file.',
  cancelled: 'Files that waited were skipped, and the updates in them are missing.',
}

export const describeGap = ({ cause }: Gap): string =>
  `${CAUSES[cause]} A full file brings everything up to date.`
