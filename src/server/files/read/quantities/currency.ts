const BEFORE = /^(?:[A-Z]{3}|\p{Sc})/u
const BEHIND = /(?:[A-Z]{3}|\p{Sc})$/u
/** Signs that only one currency has. */
const SIGNS: Record<string, string> = {
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  '₺': 'TRY',
  '₽': 'RUB',
  '₴': 'UAH',
  '₪': 'ILS',
  '₩': 'KRW',
  '₫': 'VND',
}
const SIGN = /^\p{Sc}$/u
const CODE = /^[A-Z]{3}$/
const CODES = new Set(Intl.supportedValuesOf('currency'))

/** What stands for a currency that is named, but not known. */
export const UNKNOWN_CURRENCY = '?'

/** A price without its currency: `12.50` of `€ 12.50` or `12.50 EUR`. */
export const withoutCurrency = (cell: string): string =>
  cell.trim().replace(BEFORE, '').replace(BEHIND, '').trim()

/**
 * The currency that a price names, as `readCurrency`: `EUR` of `€ 12.50`, `USD` of `$12.50 USD`; undefined for none.
 */
export function currencyOfPrice(cell: string): string | undefined {
  const text = cell.trim()
  const named = [BEFORE, BEHIND].flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
  const [first] = named
  return first && readCurrency(named.find((one) => CODE.test(one)) ?? first)
}

/**
 * Reads the name of a currency: as a code such as `EUR`, also of a sign that only one has; as a sign, such as `$`, that
 * several have; or as one that is not known. Undefined for a blank text.
 */
export function readCurrency(cell: string): string | undefined {
  const text = cell.trim().toUpperCase()
  if (text === '') return undefined
  if (CODES.has(text)) return text
  return SIGNS[text] ?? (SIGN.test(text) ? text : UNKNOWN_CURRENCY)
}

/** Whether a currency has this sign: `$` of `CAD`. */
export function hasSign(code: string, sign: string): boolean {
  const known = signs.get(code)
  if (known !== undefined) return known === sign
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  })
  signs.set(code, format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '')
  return hasSign(code, sign)
}
const signs = new Map<string, string>()
