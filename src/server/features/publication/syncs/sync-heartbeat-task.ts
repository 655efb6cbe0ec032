import { MINUTE_MS } from '../../../../shared/durations'
import { formatCount, formatCountOf } from '../../../../shared/format'
import type { CronTask } from '../../../domain/deps'
import { findShortage } from '../../../domain/disk'
import { DomainError } from '../../../domain/errors'
import { countConnectionsByPunctuality } from '../../catalogue/connections/connections.queries'

const OVERDUE_AFTER_MS = 5 * MINUTE_MS

/** Fails, which the administrator sees, when syncs are overdue or the disk is short of space. */
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
      const late = formatCountOf(counts.overdue, 'connection is', 'connections are')
      throw new DomainError('UNAVAILABLE', `${late} overdue by more than 5 minutes`)
    }
    const total = formatCountOf(counts.total, 'connection')
    return `${total} on schedule, ${formatCount(counts.running)} running`
  },
}
