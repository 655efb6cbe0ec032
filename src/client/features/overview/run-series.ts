import type { SyncOutcome } from '../../../shared/constants'
import type { BarSeries } from '../../components/chart/stacked-bars'

/** What is drawn of runs, from the bottom of each bar. */
export const RUN_SERIES: (BarSeries & { outcomes: readonly SyncOutcome[] })[] = [
  { name: 'Unchanged', tone: 'neutral', outcomes: ['unchanged'] },
  { name: 'Published', tone: 'good', outcomes: ['published'] },
  { name: 'Postponed or cancelled', tone: 'busy', outcomes: ['postponed', 'cancelled'] },
  { name: 'Held', tone: 'warn', outcomes: ['held'] },
  { name: 'Failed', tone: 'bad', outcomes: ['failed'] },
]
