/** The text of a number cell. */
export interface NumberText {
  text: string
  /** Whether the program has replaced digits by zeros, as all do that calculate in binary. */
  isDamaged: boolean
}

/** A number of so many digits, or more, has lost some. */
const DAMAGED_FROM = 1e15

/** @param text as the workbook has it */
export function numberText(text: string): NumberText {
  if (isShortest(text)) return { text, isDamaged: false }
  const value = parseNumber(text)
  return value === undefined ? { text, isDamaged: false } : valueText(value)
}

export function parseNumber(text: string): number | undefined {
  const value = Number(text)
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value
}

/** The shortest text that is read as the same number, without an exponent. */
export function valueText(value: number): NumberText {
  const isDamaged = Math.abs(value) >= DAMAGED_FROM && Number.isInteger(value)
  return { text: plainText(value), isDamaged }
}

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

function plainText(value: number): string {
  const text = String(value)
  const [number = '', exponentText] = text.split('e')
  if (exponentText === undefined) return text
  const exponent = Number(exponentText)
  const sign = value < 0 ? '-' : ''
  const [whole = '', fraction = ''] = number.replace('-', '').split('.')
  return exponent < 0
    ? `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`
    : `${sign}${whole}${fraction}${'0'.repeat(exponent - fraction.length)}`
}
