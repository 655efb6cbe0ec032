import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/durations'

const TIME_STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 3, 7, 14, 28].map((days) => days * DAY_MS),
]

/** Times of day, or days, in the reader's time zone that divide a span of time, at most so many and one. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const step =
    TIME_STEPS.find((one) => (to - from) / one < most) ??
    Math.ceil((to - from) / most / DAY_MS) * DAY_MS
  const days = Math.max(1, step / DAY_MS)
  const ticks: number[] = []
  const day = new Date(from)
  day.setHours(0, 0, 0, 0)
  // Days have 23 to 25 hours.
  for (; day.getTime() <= to; day.setDate(day.getDate() + days)) {
    const end = Math.min(to, day.getTime() + days * DAY_MS - 1)
    for (let at = day.getTime(); at <= end; at += step) if (at >= from) ticks.push(at)
  }
  return ticks
}

/**
 * Round values from zero to at least the greatest, at most so many and one.
 * @param base of the units that values are told in: 1,000, or 1,024 for bytes
 */
export function valueTicks(greatest: number, most: number, base = 1_000): number[] {
  if (greatest <= 0) return [0]
  const unit = base ** Math.floor(Math.log(greatest) / Math.log(base))
  const least = greatest / unit / most
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= least) ?? least
  return Array.from(
    { length: Math.ceil(greatest / unit / step) + 1 },
    (_, index) => index * step * unit,
  )
}
