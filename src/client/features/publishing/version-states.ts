import type { Version } from '../../../shared/schemas/publishing'
import type { StatusTone } from '../../components/feedback/status-badge'

/** Called to show what a file changed in another one; with all files, of which others can be chosen. */
export type CompareVersions = (comparison: {
  older: Version
  newer: Version
  files: Version[]
}) => void

/** What a version's state is called. */
export const VERSION_STATE_WORDS: Record<Version['state'], { word: string; tone: StatusTone }> = {
  current: { word: 'Published', tone: 'good' },
  held: { word: 'Held', tone: 'warn' },
  discarded: { word: 'Not published', tone: 'neutral' },
  replaced: { word: 'Replaced', tone: 'neutral' },
  'rolled-back': { word: 'Rolled back', tone: 'warn' },
}

/** How a version came to be published, or why it was not. */
export function describeOrigin({ state, publishedBy, restoredFrom, holdReasons }: Version): string {
  if (state === 'held' || state === 'discarded') return holdReasons.join(' ') || 'Held'
  if (publishedBy === null) return 'By a sync'
  return restoredFrom === null
    ? `By ${publishedBy}, although it was held`
    : `By ${publishedBy}, from an older file`
}
