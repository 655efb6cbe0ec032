import { DIGEST_TIME } from '../../../../shared/digests'
import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import type { DigestRow } from '../../../db/schema'
import { nextTimeOfDay, timestampAt } from '../../../domain/times-of-day'

/** Between two digests at least, also when the time zone, the weekday or the period is changed. */
const GAPS_MS = { daily: 20 * HOUR_MS, weekly: 6 * DAY_MS + 12 * HOUR_MS }

/** When the next digest is due; null without any. */
export function nextDigestAt(
  {
    period,
    weekday,
    timeZone,
    toldAt,
  }: Pick<DigestRow, 'period' | 'weekday' | 'timeZone' | 'toldAt'>,
  now: number,
): number | null {
  if (period === null) return null
  // A clock that was ahead may have told of it in the future.
  const earliest = toldAt === null || toldAt > now ? now : toldAt + GAPS_MS[period]
  let at = nextTimeOfDay([DIGEST_TIME], timeZone, Math.max(now, earliest))
  if (period === 'daily') return at
  while (weekdayAt(at, timeZone) !== weekday) {
    at = nextTimeOfDay([DIGEST_TIME], timeZone, at)
  }
  return at
}

/** 1 is Monday. */
function weekdayAt(at: number, timeZone: string): number {
  const local = timestampAt(at, timeZone)
  const [year, month, day] = [local.slice(0, 4), local.slice(4, 6), local.slice(6, 8)].map(Number)
  return new Date(Date.UTC(year ?? 0, (month ?? 1) - 1, day)).getUTCDay() || 7
}
