import { showDigits } from '../digit-mask'
import { type NumberText, numberText, parseNumber, valueText } from '../number-text'
import type { NumberFormat } from './number-format'

/** To the end of the year 9999. */
const DAYS_AFTER_1900 = 2_958_466
const DAY_MS = 86_400_000
const DAYS_1904 = 1_462
const LEAP_DAY_1900 = 60

/** The text of a number by its format. */
export function formattedNumber(text: string, format: NumberFormat, is1904: boolean): NumberText {
  if (format.kind === 'number') return numberText(text)
  const value = parseNumber(text)
  if (value === undefined) return { text, isDamaged: false }
  const shown =
    format.kind === 'digits'
      ? showDigits(
          format.masks.find(({ isFor }) => isFor(value)),
          value,
        )
      : timeText(value, format.kind, is1904)
  return shown === undefined ? valueText(value) : { text: shown, isDamaged: false }
}

/** Days since the epoch of the workbook in ISO 8601; undefined for what Excel does not show as a time either. */
function timeText(
  days: number,
  kind: 'date' | 'time' | 'elapsed',
  is1904: boolean,
): string | undefined {
  if (days < 0) return undefined
  const milliseconds = Math.round(days * DAY_MS)
  if (milliseconds >= DAY_MS * (is1904 ? DAYS_AFTER_1900 - DAYS_1904 : DAYS_AFTER_1900)) {
    return undefined
  }
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

export function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  const fraction = milliseconds % 1000
  return fraction === 0 ? text : `${text}.${String(fraction).padStart(3, '0')}`
}
