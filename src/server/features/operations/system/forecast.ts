import type { DiskForecast } from '../../../../shared/schemas/system'

/** What was measured on a day. */
type Point = { day: number; bytes: number }

/** One day more or less says nothing yet. */
const NEEDED_DAYS = 7
const TEN_YEARS = 3_650

/**
 * How much is added in a day: the median of what each two days tell, so that one large import, or one large
 * deletion, does not count as what happens every day. Null with too few days.
 */
export function growthOf(points: readonly Point[]): number | null {
  if (points.length < NEEDED_DAYS) return null
  const slopes = points.flatMap((later, index) =>
    points.slice(0, index).map(({ day, bytes }) => (later.bytes - bytes) / (later.day - day)),
  )
  const sorted = slopes.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [
    sorted[sorted.length % 2 === 1 ? middle : middle - 1],
    sorted[middle],
  ]
  return (low + high) / 2
}

/**
 * In how many days syncs will wait for room on the disk.
 * @param used bytes in use on each day, only of days on which the disk was as large as now
 * @param roomBytes free now, without what is reserved
 */
export function forecastDisk(used: readonly Point[], roomBytes: number): DiskForecast {
  const days = used.length
  const bytesPerDay = growthOf(used)
  if (bytesPerDay === null) return { state: 'unknown', days, neededDays: NEEDED_DAYS }
  const fullInDays = roomBytes <= 0 ? 0 : Math.floor(roomBytes / bytesPerDay)
  const isFilling = roomBytes <= 0 || (bytesPerDay > 0 && fullInDays <= TEN_YEARS)
  return isFilling ? { state: 'filling', days, bytesPerDay, fullInDays } : { state: 'steady', days }
}
