import type { Version } from '../../../shared/schemas/publishing'
import type { StatusTone } from '../../components/feedback/status-badge'

/** What a version's state is called. */
export const VERSION_STATE_WORDS: Record<Version['state'], { word: string; tone: StatusTone }> = {
  current: { word: 'Published', tone: 'good' },
  held: { word: 'Held', tone: 'warn' },
  discarded: { word: 'Not published', tone: 'neutral' },
  replaced: { word: 'Replaced', tone: 'neutral' },
  'rolled-back': { word: 'Rolled back', tone: 'warn' },
}

/** How a version came to be published, or why it was not; of a held one, its panel tells why. */
export function describeOrigin({ state, publishedBy, restoredFrom, holdReasons }: Version): string {
  if (state === 'held') return 'Waits for a decision'
  if (state === 'discarded') return holdReasons.join(' ') || 'Held'
  if (publishedBy === null) return 'By a sync'
  return restoredFrom === null
    ? `By ${publishedBy}, although it was held`
    : `By ${publishedBy}, from an older file`
}

/** The file fetched before one; versions are listed newest first. */
export const findOlder = (versions: Version[], { id }: Version): Version | undefined =>
  versions.find((version) => version.id < id)
