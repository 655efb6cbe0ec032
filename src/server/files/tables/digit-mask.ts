/** Leading zeros and literals around digits, as in `00000-0000`. */
export interface DigitMask {
  /** `null` for a digit. */
  parts: readonly (string | null)[]
  /** At least two: what stands around a single one is a unit. */
  digits: number
}

/** Shows a number as its format does; undefined if it has a fraction, which the format would hide. */
export function showDigits(mask: DigitMask | undefined, value: number): string | undefined {
  if (!mask || !Number.isInteger(value) || Math.abs(value) >= 1e15) return undefined
  const digits = String(Math.abs(value)).padStart(mask.digits, '0')
  let at = digits.length - mask.digits + 1
  let shown = value < 0 ? '-' : ''
  let isFirst = true
  for (const part of mask.parts) {
    if (part !== null) shown += part
    else if (isFirst) {
      shown += digits.slice(0, at)
      isFirst = false
    } else shown += digits[at++]
  }
  return shown
}

/** Which numbers a section of a format is for. */
export function createCondition(operator: string, limit: number): (value: number) => boolean {
  switch (operator) {
    case '<=':
      return (value) => value <= limit
    case '>=':
      return (value) => value >= limit
    case '<':
      return (value) => value < limit
    case '>':
      return (value) => value > limit
    case '=':
      return (value) => value === limit
    default:
      return (value) => value !== limit
  }
}
