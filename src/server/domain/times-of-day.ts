import { DAY_MS, MINUTE_MS } from '../../shared/durations'

/** The formatters of time zones, which are slow to make. */
const formatters = new Map<string, Intl.DateTimeFormat>()
const MAX_FORMATTERS = 600

/**
 * The first of these times of day after an instant, in Unix milliseconds. A time that does not exist on a day, because
 * clocks are set forward, is the first one after it that does; one that exists twice is the first of the two.
 * @param times such as `06:30`, at least one
 */
export function nextTimeOfDay(times: readonly string[], timeZone: string, after: number): number {
  const today = dayOf(after, timeZone)
  const candidates = [-1, 0, 1, 2].flatMap((days) =>
    times.map((time) => instantOf(today + days * DAY_MS + minutesOf(time) * MINUTE_MS, timeZone)),
  )
  return Math.min(...candidates.filter((at) => at > after))
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The day of an instant in a time zone, as if it were one in UTC. */
function dayOf(at: number, timeZone: string): number {
  const local = at + offsetAt(at, timeZone)
  return local - (((local % DAY_MS) + DAY_MS) % DAY_MS)
}

/** When the clocks of a time zone show a time, which is given as if it were in UTC. */
function instantOf(local: number, timeZone: string): number {
  const before = local - offsetAt(local - DAY_MS, timeZone)
  const after = local - offsetAt(local + DAY_MS, timeZone)
  const shown = [Math.min(before, after), Math.max(before, after)].find(
    (at) => at + offsetAt(at, timeZone) === local,
  )
  return shown ?? changeWithin(after, before, timeZone)
}

/** When the clocks are set forward that show no time from `from` to `until`. */
function changeWithin(from: number, until: number, timeZone: string): number {
  const before = offsetAt(from, timeZone)
  let [low, high] = [from, until]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.round((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (offsetAt(middle, timeZone) === before) low = middle
    else high = middle
  }
  return high
}

/** How far the clocks of a time zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = partsAt(at, timeZone)
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour))
  const within = (Number(minute) * 60 + Number(second)) * 1_000
  return local + within - Math.floor(at / 1_000) * 1_000
}

/** What the clocks of a time zone show, as `20260115083000`. */
export function timestampAt(at: number, timeZone: string): string {
  const {
    year = '',
    month = '',
    day = '',
    hour = '',
    minute = '',
    second = '',
  } = partsAt(at, timeZone)
  return [year, month, day, hour, minute, second].join('')
}

function partsAt(at: number, timeZone: string): Partial<Record<string, string>> {
  const parts = formatterOf(timeZone).formatToParts(at)
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]))
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  })
  if (formatters.size < MAX_FORMATTERS) formatters.set(timeZone, made)
  return made
}
