import type { ProblemLog } from '../../read/problems'
import { showDigits } from '../digit-mask'
import { parseNumber, valueText } from '../number-text'
import { SHEET_NOTES, isErrorText } from '../sheet-notes'
import type { NumberFormat } from '../xlsx/number-format'

/** What a cell has besides the text that it shows. */
export interface CellFacts {
  /** The number in it, which Excel and LibreOffice write beside what they show. */
  number: string | undefined
  /** The text in it, which Excel writes beside what it shows. */
  text: string | undefined
  isError: boolean
  format: NumberFormat | undefined
}

const TOO_NARROW =
  'Cells show only ####, because their column was too narrow when the file was saved: make it wider'
const FORMULA_TEXTS = 'Formulas for a text, such as ="0012", were read as the text'
const EXPONENTS =
  'Numbers such as 4.00638E+12 have lost their last digits: give the column the format Text and enter them again'

/**
 * The text of a cell: what it shows, unless that is a number that has been rounded. The number beside it is taken only
 * then: where a page of Excel has been made a template for others, it may be an old one.
 */
export function cellText(
  shown: string,
  { number, text: written, isError, format }: CellFacts,
  row: number,
  notes: ProblemLog,
): string {
  if (isError) notes.add(row, SHEET_NOTES.errors)
  if (shown.startsWith('#')) {
    if (/^##+$/.test(shown)) notes.add(row, TOO_NARROW)
    else if (!isError && isErrorText(shown)) notes.add(row, SHEET_NOTES.errors)
    return shown
  }
  const [, formulaText] = /^="([^"]*)"$/.exec(shown) ?? []
  if (formulaText !== undefined) {
    notes.add(row, FORMULA_TEXTS)
    return formulaText
  }
  // The zeros of a text that is shown as a number.
  const digits = written?.replace(/^'/, '')
  if (digits !== undefined && /^0\d{1,30}$/.test(digits) && digits.replace(/^0+/, '') === shown) {
    return digits
  }
  if (format?.kind === 'digits') {
    // As Excel would show it, whether it has been written so or not.
    if (!/^\d{1,15}$/.test(shown)) return shown
    const value = Number(shown)
    const mask = format.masks.find(({ isFor }) => isFor(value))
    return showDigits(mask, value) ?? shown
  }
  // Excel does not repeat a number that is shown in full.
  const value = number === undefined ? undefined : parseNumber(number || shown)
  if (value !== undefined && showsNumber(shown, value)) {
    const { text, isDamaged } = valueText(value)
    if (isDamaged) notes.add(row, SHEET_NOTES.longNumbers)
    return text
  }
  if (/^-?\d[.,]\d{1,20}E[+-]\d{2,3}$/.test(shown)) notes.add(row, EXPONENTS)
  return shown
}

/** Numbers that are shown with their unit are shorter. */
const MAX_SHOWN = 60
const WRITTEN_NUMBERS = /\d[\d.,'’ \u202f]*(?:E[+-]?\d{1,3})?/gi

/** Whether a text is a number in the way in which formats show it: rounded, grouped, with a unit, as a percentage. */
function showsNumber(shown: string, value: number): boolean {
  // Leading zeros belong to the text.
  if (shown.length > MAX_SHOWN || /^-?0\d/.test(shown)) return false
  const [written, another] = shown.match(WRITTEN_NUMBERS) ?? []
  if (written === undefined || another !== undefined) return false
  const [digits = '', exponent = '0'] = written.toUpperCase().split('E')
  const scale = 10 ** Number(exponent) * (shown.includes('%') ? 0.01 : 1)
  // Formats such as `0,` show thousands or millions.
  const scales = [scale, 1e3 * scale, 1e6 * scale]
  return ['.', ','].some((mark) => {
    const [whole = '', fraction = '', more] = digits.split(mark)
    if (more !== undefined) return false
    const plain = (text: string) => text.replace(/\D/g, '')
    const number = Number(`${plain(whole)}.${plain(fraction)}`)
    const half = 0.5 * 10 ** -plain(fraction).length
    return scales.some((one) => Math.abs(number * one - Math.abs(value)) <= half * one * 1.000001)
  })
}
