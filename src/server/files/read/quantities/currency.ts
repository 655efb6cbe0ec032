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
const CODE = /^[A-Z]{3}$/

/** A price without its currency: `12.50` of `€ 12.50` or `12.50 EUR`. */
export const withoutCurrency = (cell: string): string =>
  cell.trim().replace(BEFORE, '').replace(BEHIND, '').trim()

/** The code of the currency that a price names: `EUR` of `€ 12.50`; undefined for none, or a sign such as `$` of several. */
export function currencyOfPrice(cell: string): string | undefined {
  const text = cell.trim()
  const [named] = BEFORE.exec(text) ?? BEHIND.exec(text) ?? []
  return named === undefined ? undefined : readCurrency(named)
}

/** Reads a code such as `EUR`, or a sign that only one currency has. */
export function readCurrency(cell: string): string | undefined {
  const text = cell.trim().toUpperCase()
  return CODE.test(text) ? text : SIGNS[text]
}
