const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const TIME = String.raw`\d\d:\d\d:\d\d`

/** `Sun, 06 Nov 1994 08:49:37 GMT`, and `Sunday, 06-Nov-94 08:49:37 GMT` as older programs send it. */
const WITH_ZONE = new RegExp(
  String.raw`^(?:${DAY}, \d\d ${MONTH} \d{4}|${DAY}[a-z]{3,6}, \d\d-${MONTH}-\d\d) ${TIME} GMT$`,
)
/** `Sun Nov  6 08:49:37 1994`, in C. */
const WITHOUT_ZONE = new RegExp(String.raw`^${DAY} ${MONTH} [ \d]\d ${TIME} \d{4}$`)

/**
 * Reads a date in one of the three forms of RFC 9110, in Unix milliseconds; undefined for any other text,
 * which is to be ignored.
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const isWithoutZone = WITHOUT_ZONE.test(text)
  if (!isWithoutZone && !WITH_ZONE.test(text)) return undefined
  const time = Date.parse(isWithoutZone ? `${text} GMT` : text)
  return Number.isNaN(time) ? undefined : time
}
