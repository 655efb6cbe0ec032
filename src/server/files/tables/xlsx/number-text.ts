import { type NumberFormat, showDigits } from './number-format'

/** A number of so many digits, or more, has lost some: Excel keeps 15. */
const DAMAGED_FROM = 1e15
/** The last day of the year 9999. */
const LAST_DAY = 2_958_465
const DAY_MS = 86_400_000
const DAYS_1904 = 1_462
const LEAP_DAY_1900 = 60

/** The text of a number cell. */
export interface NumberText {
  text: string
  /** Whether Excel has replaced digits by zeros. */
  isDamaged: boolean
}

/** @param text as the workbook has it */
export function numberText(text: string, format: NumberFormat, is1904: boolean): NumberText {
  if (format.kind === 'number' && isShortest(text)) return { text, isDamaged: false }
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) return { text, isDamaged: false }
  if (format.kind === 'digits') {
    return { text: showDigits(format.masks, value) ?? plainText(value), ...damage(value) }
  }
  const time = format.kind === 'number' ? undefined : timeText(value, format.kind, is1904)
  return time === undefined
    ? { text: plainText(value), ...damage(value) }
    : { text: time, isDamaged: false }
}

const damage = (value: number) => ({
  isDamaged: Math.abs(value) >= DAMAGED_FROM && Number.isInteger(value),
})

const ZERO = 0x30
const NINE = 0x39

/** Whether a number is written as it would be anyway, as most are: no need to read it. */
function isShortest(text: string): boolean {
  const length = text.length
  const start = text.charCodeAt(0) === 0x2d ? 1 : 0
  // With up to 15 digits, no shorter text is the same number.
  if (length === start || length > start + 15) return false
  let point = -1
  for (let at = start; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x2e && point < 0) point = at
    else if (code < ZERO || code > NINE) return false
  }
  const integerDigits = (point < 0 ? length : point) - start
  if (integerDigits === 0 || (integerDigits > 1 && text.charCodeAt(start) === ZERO)) return false
  if (point >= 0) return text.charCodeAt(length - 1) !== ZERO && point < length - 1
  return !(start === 1 && text.charCodeAt(1) === ZERO)
}

/** The shortest text that is read as the same number, without an exponent. */
function plainText(value: number): string {
  const text = String(Object.is(value, -0) ? 0 : value)
  const [number = '', exponentText] = text.split('e')
  if (exponentText === undefined) return text
  const exponent = Number(exponentText)
  const sign = value < 0 ? '-' : ''
  const [whole = '', fraction = ''] = number.replace('-', '').split('.')
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`
    : `${sign}${whole}${fraction}${'0'.repeat(exponent - fraction.length)}`
}

/** Days since the epoch of the workbook in ISO 8601; undefined for what Excel does not show as a time either. */
function timeText(
  days: number,
  kind: 'date' | 'time' | 'elapsed',
  is1904: boolean,
): string | undefined {
  if (days < 0 || days > LAST_DAY) return undefined
  const milliseconds = Math.round(days * DAY_MS)
  const day = Math.floor(milliseconds / DAY_MS)
  const rest = milliseconds % DAY_MS
  if (kind === 'elapsed') return clockText(milliseconds)
  // Day 0 of 1900 is none: such a cell has a time alone.
  if (kind === 'time' || (day === 0 && !is1904)) return clockText(rest)
  const date = dateText(day, is1904)
  return rest === 0 ? date : `${date}T${clockText(rest)}`
}

function dateText(day: number, is1904: boolean): string {
  // Excel has a February 29 in 1900.
  if (!is1904 && day === LEAP_DAY_1900) return '1900-02-29'
  const sinceLeap = is1904 ? day + DAYS_1904 : day < LEAP_DAY_1900 ? day + 1 : day
  return new Date(Date.UTC(1899, 11, 30) + sinceLeap * DAY_MS).toISOString().slice(0, 10)
}

function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const fraction = milliseconds % 1000
  return fraction === 0 ? text : `${text}.${String(fraction).padStart(3, '0')}`
}

/** A date in ISO 8601 as the workbooks of some programs have it, without midnight and zone. */
export function isoText(text: string): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?$/.exec(text)
  const [, date, time = ''] = parts ?? []
  if (date === undefined) return text
  return /^[0:.]*$/.test(time) ? date : `${date}T${time.replace(/\.0*$|(\.\d*?)0+$/, '$1')}`
}
