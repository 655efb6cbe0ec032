import type { SyncOutcome } from '../../../shared/constants'
import type { StatusTone } from './status-badge'

/** Label and tone of a run's outcome; null means that it is still running. */
export function describeOutcome(outcome: SyncOutcome | null): { word: string; tone: StatusTone } {
  return outcome === null ? { word: 'Running', tone: 'busy' } : OUTCOMES[outcome]
}

const OUTCOMES: Record<SyncOutcome, { word: string; tone: StatusTone }> = {
  published: { word: 'Published', tone: 'good' },
  unchanged: { word: 'Unchanged', tone: 'neutral' },
  held: { word: 'Held', tone: 'warn' },
  failed: { word: 'Failed', tone: 'bad' },
  postponed: { word: 'Postponed', tone: 'warn' },
  cancelled: { word: 'Cancelled', tone: 'warn' },
}
