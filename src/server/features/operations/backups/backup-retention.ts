import { DAY_MS } from '../../../../shared/durations'

const KEPT_DAYS = 7
const KEPT_WEEKS = 4

/**
 * Chooses the backups to keep: the newest of each of the last 7 days and of the last 4 ISO weeks
 * that have one. Days without a backup do not count, so that an installation that was stopped for a
 * while keeps its backups.
 * @param instants when the backups were made, in Unix milliseconds; days and weeks are in UTC
 */
export function chooseKeptBackups(instants: number[]): Set<number> {
  const newestFirst = instants.toSorted((one, other) => other - one)
  return new Set([
    ...keepNewestOfEach(newestFirst, toDay, KEPT_DAYS),
    ...keepNewestOfEach(newestFirst, toIsoWeek, KEPT_WEEKS),
  ])
}

const toDay = (instant: number) => Math.floor(instant / DAY_MS)
/** Weeks begin on Monday; 1 January 1970 was a Thursday. */
const toIsoWeek = (instant: number) => Math.floor((toDay(instant) + 3) / 7)

function keepNewestOfEach(
  newestFirst: number[],
  toPeriod: (instant: number) => number,
  count: number,
): number[] {
  const newest = new Map<number, number>()
  for (const instant of newestFirst) {
    const period = toPeriod(instant)
    if (!newest.has(period)) newest.set(period, instant)
  }
  return [...newest.values()].slice(0, count)
}
