const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dateOnly = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const dateAndTimeWithZone = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'long',
})

/** `3 minutes ago`, `in 2 hours`, `just now`; a date once it is more than 30 days away. */
export function formatRelativeTime(instant: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(instant) - nowMs) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(instant)
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  }
  if (seconds > 20) return 'in less than a minute'
  return seconds > 0 ? 'in a moment' : 'just now'
}

/** `21 Nov 2025`, in the reader's time zone. */
export function formatDate(instant: string): string {
  return dateOnly.format(new Date(instant))
}

/** `21 Nov 2025, 09:41`, in the reader's time zone. */
export function formatDateTime(instant: string): string {
  return dateAndTime.format(new Date(instant))
}

/** With weekday, seconds and the name of the time zone, for tooltips. */
export function formatExactTime(instant: string): string {
  return dateAndTimeWithZone.format(new Date(instant))
}
