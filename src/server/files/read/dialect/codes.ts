/** Longer texts are no keys. */
const MAX_CODE_CHARACTERS = 60

/** Whether a cell is one word of letters and digits, as keys are: `AB-1000`, `B07PXGQC1Q`, `10cm`. */
function isCode(text: string): boolean {
  return text.length <= MAX_CODE_CHARACTERS && /^(?=\S*\p{L})(?=\S*\d)\S+$/u.test(text)
}

/** A text with its letters and digits replaced: `AB 1000` is `A 9`, and `Boot 42` is `Aa 9`. */
function shapeOf(text: string): string {
  return text
    .replace(/\p{Lu}+/gu, 'A')
    .replace(/[\p{Ll}\p{Lo}]+/gu, 'a')
    .replace(/\d+/g, '9')
}

/**
 * Returns a function that tells whether another text looks like this one because of its digits: both
 * are codes, or letters, digits and signs take turns in the same way. It is undefined for a text without
 * a digit, which is like any other.
 * @param cell shortened, because it is matched with patterns
 */
export function createCodeComparison(cell: string): ((other: string) => boolean) | undefined {
  const text = cell.trim()
  if (!/\d/.test(text)) return undefined
  if (isCode(text)) return (other) => isCode(other.trim())
  const shape = shapeOf(text)
  return (other) => shapeOf(other.trim()) === shape
}

/** Likewise, for a text with letters that differs from others only in its digits: `AB-1000` and `AB-2`. */
export function createSeriesComparison(cell: string): ((other: string) => boolean) | undefined {
  const withoutDigits = (text: string) => text.trim().replace(/\d+/g, '9')
  const shape = withoutDigits(cell)
  return /\p{L}/u.test(shape) && /\d/.test(shape)
    ? (other) => withoutDigits(other) === shape
    : undefined
}
