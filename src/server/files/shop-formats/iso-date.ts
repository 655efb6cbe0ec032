const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

const WITH_TIME =
  /^([^T:]{6,24}?)(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2})?)?$/
const YEAR_FIRST = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/
const COMPACT = /^((?:19|20)\d{2})(\d{2})(\d{2})$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})$/
const DAY_NAMED = /^(\d{1,2})(?:st|nd|rd|th|\.)?[ -]([A-Za-z]{3,9})\.?,?[ -](\d{4})$/
const NAMED_DAY = /^([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/
const MIDNIGHT = /^00:00(?::00(?:[.,]0+)?)?$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d|$)/

/**
 * The date of a cell as ISO 8601, with its time where it has one that is not midnight; empty for an empty cell.
 * With points the day comes first (`3.4.2026`); with slashes and hyphens it may be the month, so that one of both
 * has to be above 12, or both equal.
 * @returns undefined when it is not certain which day is meant
 */
export function toIsoDate(cell: string): string | undefined {
  const text = cell.trim()
  if (text === '') return ''
  const [, date = '', time, zone = ''] = WITH_TIME.exec(text) ?? []
  const day = readDay(date)
  if (day === undefined || time === undefined) return day
  if (zone === '' && MIDNIGHT.test(time)) return day
  // With a colon, as the time has one.
  const shownZone = zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  return TIME.test(time) ? `${day}T${time.replace(',', '.')}${shownZone}` : undefined
}

function readDay(text: string): string | undefined {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return write(year, month, day)
  const compact = COMPACT.exec(text)
  if (compact) return write(compact[1], compact[2], compact[3])
  const last = YEAR_LAST.exec(text)
  if (last) return readYearLast(last)
  const dayNamed = DAY_NAMED.exec(text)
  if (dayNamed) return write(dayNamed[3], toMonth(dayNamed[2]), dayNamed[1])
  const namedDay = NAMED_DAY.exec(text)
  return namedDay ? write(namedDay[3], toMonth(namedDay[1]), namedDay[2]) : undefined
}

function readYearLast([, one, separator, other, year]: RegExpExecArray): string | undefined {
  const dayFirst = write(year, other, one)
  if (separator === '.') return dayFirst
  const monthFirst = write(year, one, other)
  if (dayFirst === undefined || monthFirst === undefined) return dayFirst ?? monthFirst
  return dayFirst === monthFirst ? dayFirst : undefined
}

/** Of an English name, in full or shortened to three letters or more; empty for another word. */
function toMonth(name = ''): string {
  const month = MONTHS.findIndex((whole) => whole.startsWith(name.toLowerCase())) + 1
  return month > 0 ? String(month) : ''
}

/** undefined for a day that the calendar does not have. */
function write(year = '', month = '', day = ''): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${date}T00:00:00Z`)
  const isDay = Number.isFinite(time) && new Date(time).toISOString().startsWith(date)
  return isDay ? date : undefined
}
