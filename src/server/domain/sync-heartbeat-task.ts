import { formatCount, formatCountOf } from '../../shared/format'
import { countConnectionsByPunctuality } from '../features/connections/connections.queries'
import type { CronTask } from './cron-task'
import { findShortage } from './disk'
import { DomainError } from './errors'

const OVERDUE_AFTER_MS = 5 * 60_000

/** Tells the administrator when syncs have come to a stop, or fall behind. */
export const syncHeartbeatTask: CronTask = {
  name: 'sync-heartbeat',
  description: 'Checks that every active connection is synced on time, and that the disk has room',
  schedule: '* * * * *',
  timeoutMs: 30_000,
  async run(deps) {
    const shortage = await findShortage(deps)
    if (shortage) throw new DomainError('UNAVAILABLE', shortage)
    const now = deps.clock.now()
    const counts = await countConnectionsByPunctuality(deps.db, now, now - OVERDUE_AFTER_MS)
    if (counts.overdue > 0) {
      const isOrAre = counts.overdue === 1 ? 'is' : 'are'
      throw new DomainError(
        'UNAVAILABLE',
        `${formatCountOf(counts.overdue, 'connection')} ${isOrAre} overdue by more than 5 minutes`,
      )
    }
    const total = formatCountOf(counts.total, 'connection')
    return `${total} on schedule, ${formatCount(counts.running)} running`
  },
}
