/**
 * Makes a formatter when it is first used: browsers take as long for one as for drawing a small page. Dates are in the
 * browser's locale; words are in English, like the sentences that they stand in.
 */
function lazily(options: Intl.DateTimeFormatOptions) {
  let made: Intl.DateTimeFormat | undefined
  return {
    format(at: Date | number): string {
      made ??= new Intl.DateTimeFormat(undefined, options)
      return made.format(at)
    },
  }
}

const dateOnly = lazily({ dateStyle: 'medium' })
const dateAndTime = lazily({ dateStyle: 'medium', timeStyle: 'short' })
const dayOnly = lazily({ day: 'numeric', month: 'short' })
const clockTime = lazily({ timeStyle: 'short' })
const dateAndTimeWithZone = lazily({ dateStyle: 'full', timeStyle: 'long' })
let relative: Intl.RelativeTimeFormat | undefined

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * `3 minutes ago`, `in 24 hours`, `just now`, rounded as a person would; a date once it is more than
 * 30 days away. Days begin at 36 hours, because "tomorrow" would be a matter of the time of day.
 */
export function formatRelativeTime(instant: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(instant) - nowMs) / 1000)
  const distance = Math.abs(seconds)
  const inUnits = (size: number, unit: Intl.RelativeTimeFormatUnit) => {
    relative ??= new Intl.RelativeTimeFormat('en')
    return relative.format(Math.sign(seconds) * Math.round(distance / size), unit)
  }
  if (distance > 30 * DAY) return formatDate(instant)
  if (distance >= 36 * HOUR) return inUnits(DAY, 'day')
  if (distance >= 59.5 * MINUTE) return inUnits(HOUR, 'hour')
  if (distance >= MINUTE) return inUnits(MINUTE, 'minute')
  if (seconds > 20) return 'in less than a minute'
  return seconds > 0 ? 'in a moment' : 'just now'
}

/** `21 Nov 2025` in the reader's locale and time zone. */
export function formatDate(instant: string): string {
  return dateOnly.format(new Date(instant))
}

/** `21 Nov`, of this year or the last, in the reader's locale and time zone. */
export function formatShortDate(instantMs: number): string {
  return dayOnly.format(instantMs)
}

/** `21 Nov 2025, 09:41` in the reader's locale and time zone. */
export function formatDateTime(instant: string): string {
  return dateAndTime.format(new Date(instant))
}

/** `09:41` in the reader's locale and time zone. */
export function formatClockTime(instantMs: number): string {
  return clockTime.format(instantMs)
}

/** `Today`, `Yesterday` or the date, in the reader's time zone. */
export function formatDay(instant: string, nowMs: number): string {
  const day = formatDate(instant)
  const now = new Date(nowMs)
  if (day === dateOnly.format(now)) return 'Today'
  // By the calendar, because not every day has 24 hours.
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return day === dateOnly.format(yesterday) ? 'Yesterday' : day
}

/** With weekday, seconds and the name of the time zone, for tooltips. */
export function formatExactTime(instant: string): string {
  return dateAndTimeWithZone.format(new Date(instant))
}
