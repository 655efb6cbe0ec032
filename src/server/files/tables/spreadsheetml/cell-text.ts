import type { ProblemLog } from '../../read/problems'
import { isoText } from '../iso-text'
import { SHEET_NOTES, isErrorText } from '../sheet-notes'
import { clockText, formattedNumber } from '../xlsx/formatted-number'
import { type NumberFormat, PLAIN } from '../xlsx/number-format'

/** A cell as the document has it. */
export interface BookCell {
  type: string
  value: string
  hasFormula: boolean
  format: NumberFormat | undefined
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T(\d{1,5}):(\d\d):(\d\d)(?:\.(\d{1,12}))?Z?$/
/** A time alone stands on the day before the first one. */
const NO_DATES = new Set(['1899-12-30', '1899-12-31'])
const DAY_HOURS = 24
const HOUR_MS = 3_600_000

/** The text of a cell with a value. */
export function cellText(cell: BookCell, is1904: boolean, row: number, notes: ProblemLog): string {
  const { type, value, hasFormula, format = PLAIN } = cell
  switch (type) {
    case 'Number': {
      const { text, isDamaged } = formattedNumber(value, format, is1904)
      if (isDamaged) notes.add(row, SHEET_NOTES.longNumbers)
      return text
    }
    case 'DateTime':
      return dateTimeText(value, format, is1904)
    case 'Boolean':
      return value.trim() === '1' ? 'TRUE' : 'FALSE'
    default:
      // LibreOffice writes errors as texts.
      if (type === 'Error' || (hasFormula && isErrorText(value))) {
        notes.add(row, SHEET_NOTES.errors)
      }
      return value
  }
}

/** A date and time, of which formats may show the time alone, or the hours since the first day. */
function dateTimeText(value: string, { kind }: NumberFormat, is1904: boolean): string {
  const [, date = '', hours, minutes, seconds, fraction = ''] = DATE_TIME.exec(value.trim()) ?? []
  const isTime = kind === 'time' || kind === 'elapsed' || NO_DATES.has(date)
  if (!isTime || hours === undefined) return isoText(value.trim())
  const days = kind === 'elapsed' ? daysBefore(date, is1904) : 0
  const allHours = DAY_HOURS * days + Number(hours)
  const rest = Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`)
  return clockText(allHours * HOUR_MS + Math.round(rest * 1000))
}

/** The days from the first one, which formats without a date count as hours, to a date. */
function daysBefore(date: string, is1904: boolean): number {
  const first = is1904 ? '1904-01-01' : '1899-12-31'
  const days = Math.round((Date.parse(date) - Date.parse(first)) / (DAY_HOURS * HOUR_MS))
  // Excel has a February 29 in 1900.
  const leapDay = !is1904 && date > '1900-02-28' ? 1 : 0
  return Math.max(0, days + leapDay)
}
