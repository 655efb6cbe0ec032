import type { ProblemLog } from '../../read/problems'
import { isoText, withoutFinalZeros } from '../iso-text'
import { numberText } from '../number-text'
import { SHEET_NOTES } from '../sheet-notes'
import { MAX_CELL_CHARACTERS, cellTooLong } from '../workbook'
import type { XmlAttributes } from '../xml-parser'

/** What a cell has besides the text that it shows. */
export interface CellValue {
  type: string
  value: string
  isError: boolean
  /** Undefined if it has none. */
  formula: string | undefined
  isPadded: boolean
}

const VALUES = new Set(['value', 'date-value', 'time-value', 'boolean-value', 'string-value'])

/** @param isPadded whether a style shows leading zeros; undefined for a cell without one of its own */
export function openValue(
  attributes: XmlAttributes,
  isPadded: (style: string | undefined) => boolean,
): CellValue {
  const cell = {
    type: '',
    value: '',
    isError: false,
    formula: undefined,
    isPadded: false,
  } as CellValue
  let style: string | undefined
  for (const name in attributes) {
    const local = name.slice(name.indexOf(':') + 1)
    const text = attributes[name] as string
    if (local === 'value-type') {
      // Programs tell of errors in an attribute of their own; for others they are texts.
      if (text === 'error') cell.isError = true
      else cell.type = text
    } else if (local === 'formula') cell.formula = text
    else if (local === 'style-name') style = text
    else if (VALUES.has(local)) cell.value = text
  }
  cell.isPadded = isPadded(style)
  return cell
}

/** @param shown the text that the cell shows */
export function valueText(
  { type, value, isError, formula, isPadded }: CellValue,
  shown: string,
  row: number,
  notes: ProblemLog,
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
      // Some programs write no text.
      const isAsShown = isPadded ? shown !== '' && isInteger(value) : isShownPadded(shown, value)
      if (isAsShown) return shown
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

const isInteger = (value: string) => Number.isInteger(Number(value))

/** Whether a number is shown with leading zeros, or with hyphens between its digits, whatever its style says. */
function isShownPadded(shown: string, value: string): boolean {
  const isPadded = shown.startsWith('0') || shown.includes('-')
  return (
    isPadded && /^\d[\d-]*\d$/.test(shown) && Number(shown.replaceAll('-', '')) === Number(value)
  )
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
