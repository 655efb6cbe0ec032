import type { DecimalMark, NumberStyle } from '../../../../shared/schemas/column-numbers'
import { type RecordBatch, cellCount } from '../scan/scan'
import { toAsciiNumber } from './number-text'
import { isUnit } from './quantity-units'

/** Numbers of so many digits are exact; longer ones are no quantities. */
const MAX_DIGITS = 15
/** Longer texts are not numbers. */
const MAX_CHARACTERS = 40

const ZERO = 0x30

/** Reads a cell of digits only, as nearly all are, without decoding it; undefined for any other. */
export function readDigits(batch: RecordBatch, record: number, column: number): number | undefined {
  if (column >= cellCount(batch, record)) return undefined
  const cell = (batch.firstCells[record] as number) + column
  const start = batch.cellStarts[cell] as number
  const end = batch.cellEnds[cell] as number
  if (start === end || end - start > MAX_DIGITS) return undefined
  let number = 0
  for (let at = start; at < end; at++) {
    const digit = (batch.bytes[at] as number) - ZERO
    if (digit < 0 || digit > 9) return undefined
    number = 10 * number + digit
  }
  return number
}

/** A number as it is written. */
export interface WrittenQuantity {
  /** The digits before and after the last separator, or all of them. */
  whole: string
  fraction: string
  isNegative: boolean
  /** Whether it is less than the number: `<5`. */
  isBelow: boolean
  /** The last separator, if it may separate thousands as well as decimals: `12,000`. */
  open: DecimalMark | null
  /** The decimal mark of the column, if the number shows it: `0,5`, `1,234.50`, `1.234.567`. */
  proof: DecimalMark | null
}

/**
 * Parses a number as catalogues write it: `12`, `1,5`, `1.234,50`, `1 200`, `1’234`, `>=100`, `50+`, `5,-`,
 * `5-`, `5 pcs`. Undefined for other text, also for `5 x 10`, `3/4`, `1-2`, dates and more than 15 digits.
 */
export function parseQuantity(cell: string): WrittenQuantity | undefined {
  const trimmed = cell.trim()
  if (trimmed === '' || trimmed.length > MAX_CHARACTERS) return undefined
  const [match, comparison = '', sign = '', number = '', isMore, dash = '', unit = ''] =
    CELL.exec(toAsciiNumber(trimmed)) ?? []
  if (match === undefined || (unit !== '' && !isUnit(unit))) return undefined
  const isBelow = comparison === '<'
  if (isMore !== undefined && (comparison.includes('<') || sign === '-')) return undefined
  // In `5,-` the dash stands for the decimals, in `5-` for the sign.
  const isRound = dash !== '' && /[.,]$/.test(number)
  const hasSignBehind = dash !== '' && !isRound
  if (hasSignBehind && (dash.length > 1 || comparison !== '' || sign !== '')) return undefined
  const digits = parseGroups(number, isRound) ?? parseLakhs(number) ?? parsePlain(number, isRound)
  if (!digits || withoutZeros(digits.whole).length > MAX_DIGITS) return undefined
  return { ...digits, isNegative: sign === '-' || hasSignBehind, isBelow }
}

/** Comparison or sign, number, `+` or dashes behind it, and what is counted. An apostrophe forces a text. */
const CELL =
  /^'?(?:(<=|=<|>=|=>|[<>~]) ?|([-+]))?([\d.,'_\u066b]+(?: [\d.,'_\u066b]+)*)(?: ?(\+)|(--?))? ?(\p{L}.*)?$/u

type Digits = Pick<WrittenQuantity, 'whole' | 'fraction' | 'open' | 'proof'>

const GROUPS = /^([1-9]\d{0,2})([., '_])(\d{3}(?:\2\d{3})*)(?:([.,\u066b])(\d*))?$/
/** As India groups digits: `1,23,456`. */
const LAKHS = /^([1-9]\d?(?:,\d\d)+,\d{3})(?:\.(\d+))?$/
const PLAIN = /^(\d*)(?:([.,\u066b])(\d*))?$/

const MARKS: Record<string, DecimalMark> = { ',': 'comma', '.': 'point' }
const OTHERS: Record<string, DecimalMark> = { ',': 'point', '.': 'comma' }

function parseGroups(text: string, isRound: boolean): Digits | undefined {
  const [match, first = '', separator = '', rest = '', mark, decimals = ''] =
    GROUPS.exec(text) ?? []
  if (match === undefined || mark === separator) return undefined
  if (mark === undefined && rest.length === 3 && MARKS[separator]) {
    return { whole: first, fraction: rest, open: MARKS[separator], proof: null }
  }
  if (mark !== undefined && decimals === '' && !isRound) return undefined
  const whole = first + rest.replaceAll(separator, '')
  const proof = MARKS[mark ?? ''] ?? OTHERS[separator] ?? null
  return { whole, fraction: decimals, open: null, proof }
}

function parseLakhs(text: string): Digits | undefined {
  const [match, groups = '', fraction = ''] = LAKHS.exec(text) ?? []
  if (match === undefined) return undefined
  return { whole: groups.replaceAll(',', ''), fraction, open: null, proof: 'point' }
}

function parsePlain(text: string, isRound: boolean): Digits | undefined {
  const [match, whole = '', mark, fraction = ''] = PLAIN.exec(text) ?? []
  if (match === undefined || whole + fraction === '') return undefined
  const isProof = fraction !== '' || isRound
  return { whole, fraction, open: null, proof: (isProof && MARKS[mark ?? '']) || null }
}

const withoutZeros = (digits: string) => digits.replace(/^0+/, '')

/** @param style that of the column, on which open numbers depend */
export function toQuantity(written: WrittenQuantity, style: NumberStyle): number {
  const { whole, fraction, open, isNegative, isBelow } = written
  const isDecimal = open === null || style === open || style === 'decimals'
  const digits = withoutZeros(isDecimal ? whole : whole + fraction)
  // More decimals could be rounded up to a whole number.
  const decimals = isDecimal ? fraction.slice(0, MAX_DIGITS - digits.length) : ''
  const number = Number(`${digits}.${decimals}0`)
  if (isBelow) return Math.ceil(number) - 1
  return isNegative && number > 0 ? -number : number
}

/**
 * Reads a number as `parseQuantity`, and the greatest whole number below it for `<5`. Undefined for other
 * text.
 */
export function readQuantity(cell: string, style: NumberStyle): number | undefined {
  const written = parseQuantity(cell)
  return written && toQuantity(written, style)
}
