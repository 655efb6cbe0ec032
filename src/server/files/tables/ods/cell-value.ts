import type { ProblemLog } from '../../read/problems'
import { showDigits } from '../digit-mask'
import { isoText, withoutFinalZeros } from '../iso-text'
import { numberText, parseNumber } from '../number-text'
import { SHEET_NOTES } from '../sheet-notes'
import { MAX_CELL_CHARACTERS, cellTooLong } from '../workbook'
import type { XmlAttributes } from '../xml-parser'
import type { ZeroFormat } from './number-formats'

/** What a cell has besides the text that it shows. */
export interface CellValue {
  type: string
  value: string
  isError: boolean
  /** Undefined if it has none. */
  formula: string | undefined
  style: string | undefined
}

const VALUES = new Set(['value', 'date-value', 'time-value', 'boolean-value', 'string-value'])

export function openValue(attributes: XmlAttributes): CellValue {
  const cell = {
    type: '',
    value: '',
    isError: false,
    formula: undefined,
    style: undefined,
  } as CellValue
  for (const name in attributes) {
    const local = name.slice(name.indexOf(':') + 1)
    const text = attributes[name] as string
    if (local === 'value-type') {
      // Programs tell of errors in an attribute of their own; for others they are texts.
      if (text === 'error') cell.isError = true
      else cell.type = text
    } else if (local === 'formula') cell.formula = text
    else if (local === 'style-name') cell.style = text
    else if (VALUES.has(local)) cell.value = text
  }
  return cell
}

/** Where a cell is read, and what its style says of a number. */
interface CellPlace {
  row: number
  notes: ProblemLog
  findZeros: (value: number) => ZeroFormat | undefined
}

/** @param shown the text that the cell shows */
export function valueText(
  { type, value, isError, formula }: CellValue,
  shown: string,
  { row, notes, findZeros }: CellPlace,
): string {
  if (isError) {
    notes.add(row, SHEET_NOTES.errors)
    return shown
  }
  if (formula !== undefined && type === '') {
    notes.add(row, SHEET_NOTES.formulas)
    return ''
  }
  switch (type) {
    case 'float':
    case 'percentage':
    case 'currency': {
      if (isBoolean(value, shown, formula)) return value === '1' ? 'TRUE' : 'FALSE'
      const zeros = findZeros(Number(value))
      const padded = zeros ? paddedText(zeros, value, shown) : shownPadded(shown, value)
      if (padded !== undefined) return padded
      if (zeros && isInteger(value)) notes.add(row, SHEET_NOTES.lostZeros)
      const { text, isDamaged } = numberText(value)
      if (isDamaged) notes.add(row, SHEET_NOTES.longNumbers)
      return text
    }
    case 'date':
      return isoText(value)
    case 'time':
      return durationText(value) ?? shown
    case 'boolean':
      return value === 'true' ? 'TRUE' : 'FALSE'
    default:
      if (value.length > MAX_CELL_CHARACTERS) throw cellTooLong(row)
      // As an attribute, a text has lost its tabs and line ends.
      return value === '' || value === shown.replace(/[\t\n]/g, ' ') ? shown : value
  }
}

/** LibreOffice has truth values of Excel as formulas with a number. */
function isBoolean(value: string, shown: string, formula: string | undefined): boolean {
  if (value !== '0' && value !== '1') return false
  return /^(?:TRUE|FALSE)$/i.test(shown) || /^of:=(?:TRUE|FALSE)\(\)$/.test(formula ?? '')
}

const isInteger = (value: string) => Number.isInteger(parseNumber(value))

/** How an integer is shown by a format with leading zeros. */
function paddedText({ mask }: ZeroFormat, value: string, shown: string): string | undefined {
  if (!isInteger(value)) return undefined
  // Some programs write no text, or number signs where a column is too narrow.
  if (!/^#*$/.test(shown)) return shown
  const number = Number(value)
  return number < 0 ? undefined : showDigits(mask, number)
}

/** What is shown if it has leading zeros, or hyphens between its digits, whatever the style of the cell says. */
function shownPadded(shown: string, value: string): string | undefined {
  const isPadded = shown.startsWith('0') || shown.includes('-')
  const isDigits = isPadded && /^\d[\d-]*\d$/.test(shown)
  return isDigits && Number(shown.replaceAll('-', '')) === Number(value) ? shown : undefined
}

/** `PT08H30M00S` as 08:30:00. */
function durationText(duration: string): string | undefined {
  const [, hours, minutes, seconds, fraction = ''] =
    /^PT(\d{1,9})H(\d{1,2})M(\d{1,2})(?:[.,](\d{1,20}))?S$/.exec(duration) ?? []
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined
  const milliseconds = withoutFinalZeros(fraction.slice(0, 3))
  const text = [hours, minutes, seconds].map((part) => part.padStart(2, '0')).join(':')
  return milliseconds === '' ? text : `${text}.${milliseconds}`
}
