import { LRUCache } from 'lru-cache'

import { HOUR_MS } from '../../../../shared/durations'

/** So many like entries within an hour stay apart; the next one stands for all further ones. */
const APART = 20
const PERIOD_MS = HOUR_MS
const MAX_REMEMBERED = 10_000

export type AuditRepeats = ReturnType<typeof createAuditRepeats>

/**
 * Remembers the latest entries of this process, so that whoever does the same thing again and again pushes
 * nothing out of the log.
 */
export function createAuditRepeats() {
  const remembered = new LRUCache<string, { since: number; count: number; id: number }>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
  })

  /** The clock may have been set back since. */
  function findCurrent(likeness: string, now: number) {
    const known = remembered.get(likeness)
    return known && Math.abs(now - known.since) < PERIOD_MS ? known : undefined
  }

  return {
    /** The entry that another one like it is added to; undefined while it is to be an entry of its own. */
    find(likeness: string, now: number): number | undefined {
      const known = findCurrent(likeness, now)
      return known && known.count > APART ? known.id : undefined
    },
    /** Remembers an entry of its own. */
    add(likeness: string, id: number, now: number): void {
      const { since, count } = findCurrent(likeness, now) ?? { since: now, count: 0 }
      remembered.set(likeness, { since, count: count + 1, id })
    },
  }
}
