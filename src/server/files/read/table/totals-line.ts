import { kindOf } from '../dialect/header'
import { normalizeNameWithoutUnit } from '../normalize-name'

/** Normalized words at the beginning of a line of totals. */
const TOTAL_NAMES = new Set(
  (
    'total totals grandtotal subtotal totalgeneral totalgeneraal sum summe gesamt gesamtsumme ' +
    'endsumme zwischensumme insgesamt totaal eindtotaal totale totali totaux sommetotale ' +
    'totalgenerale suma sumatotal razem lacznie sumaogolem ogolem celkem soucet spolu sucet ukupno ' +
    'skupaj osszesen summa totalt yhteensa toplam geneltoplam συνολο итого всего ' +
    'разом всього общо 合計 总计 合计 小計 총계 합계'
  ).split(' '),
)

/**
 * Whether the last row is one of totals: its first filled cell is a word such as `Total`, and another
 * cell is a number.
 */
export function isTotalsLine(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const [first = '', ...others] = filled
  return (
    TOTAL_NAMES.has(normalizeNameWithoutUnit(first)) &&
    others.some((cell) => kindOf(cell) === 'number')
  )
}
