/** Lengths of GTIN-8, UPC-A, EAN-13 and GTIN-14. */
const GTIN = /^(?:\d{8}|\d{12,14})$/
const DIGITS = 14

/**
 * Reads the number by which an item is known everywhere, as 14 digits.
 * @returns undefined for text that is none: of another length, with a wrong check digit, or of the ranges that
 *   companies use as they like
 */
export function readGtin(cell: string): string | undefined {
  const digits = cell.trim().replace(/[\s-]/g, '')
  if (!GTIN.test(digits)) return undefined
  const gtin = digits.padStart(DIGITS, '0')
  return isOwnNumber(gtin) || !hasCheckDigit(gtin) ? undefined : gtin
}

/** The sum of all digits, every second one from the first on three times, is a multiple of ten. */
function hasCheckDigit(gtin: string): boolean {
  let sum = 0
  for (let at = 0; at < DIGITS; at++) {
    const digit = gtin.charCodeAt(at) - 0x30
    sum += at % 2 === 0 ? 3 * digit : digit
  }
  return sum % 10 === 0
}

/** Ranges 02, 04 and 20 to 29 of GS1, and 0 and 2 of GTIN-8, however many zeros stand before these. */
const isOwnNumber = (gtin: string): boolean => /^(?:000000[02]|\d(?:2|02|04))/.test(gtin)
