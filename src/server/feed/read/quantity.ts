import { normalizeName } from './normalize-name'
import { type RecordBatch, cellCount, cellStart } from './scan'

/** Normalized column names, the preferred ones first. */
export const QUANTITY_NAMES = (
  'quantity qty stock stocklevel inventory inventoryquantity inventoryqty variantinventoryqty ' +
  'variantinventoryquantity stockquantity stockqty availablequantity availableqty ' +
  'quantityavailable qtyavailable quantityonhand qtyonhand onhandquantity onhand stockonhand ' +
  'qtyinstock quantityinstock instock currentstock totalstock freestock inventorylevel soh units ' +
  'available menge bestand lagerbestand lagermenge verfugbar verfugbaremenge anzahl lager ' +
  'quantite quantitestock stockdisponible quantitedisponible cantidad existencias quantita ' +
  'giacenza disponibilita quantidade estoque ilosc stan stanmagazynowy mnozstvi skladem ' +
  'pocetkusov pocetkusu sklad mnozstvo mennyiseg keszlet raktarkeszlet aantal voorraad antal ' +
  'lagersaldo lagerantal beholdning kolicina zaliha cantitate stoc'
).split(' ')

const MAX_CANDIDATES = 4
/** Numbers of so many digits are exact. */
const MAX_DIGITS = 15
/** Longer texts are not numbers. */
const MAX_CHARACTERS = 40
/** Including spaces around the number. */
const MAX_CELL_CHARACTERS = 200

/** Sums the quantity column, for the guard that compares a version with the one before. */
export interface QuantitySum {
  add(batch: RecordBatch, record: number): void
  /** The place of the preferred column with a number in it so far; -1 without any. */
  place(): number
  /** null when there is no quantity column with a number in it. */
  result(): { column: string; sum: number } | null
}

export function createQuantitySum(columns: string[]): QuantitySum {
  const names = columns.map(normalizeName)
  const candidates = QUANTITY_NAMES.map((name) => names.indexOf(name))
    .filter((index) => index >= 0)
    .slice(0, MAX_CANDIDATES)
    .map((index) => ({ index, sum: 0, hasNumber: false }))
  return {
    add(batch, record) {
      for (const candidate of candidates) {
        const quantity =
          readDigits(batch, record, candidate.index) ??
          readQuantity(cellStart(batch, record, candidate.index, MAX_CELL_CHARACTERS))
        if (quantity === undefined) continue
        candidate.sum += quantity
        candidate.hasNumber = true
      }
    },
    place: () => candidates.find(({ hasNumber }) => hasNumber)?.index ?? -1,
    result() {
      const found = candidates.find(({ hasNumber }) => hasNumber)
      if (!found) return null
      // Rounded, because fractions add up to sums such as 0.30000000000000004.
      return { column: columns[found.index] ?? '', sum: Math.round(found.sum * 1e6) / 1e6 }
    },
  }
}

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

/**
 * Parses a number as catalogues write it: `12`, `1,5`, `1.234,50`, `1 200`, `>100`, `50+`; undefined
 * for other text.
 */
export function readQuantity(cell: string): number | undefined {
  const text = cell.trim()
  if (/^\d{1,15}$/.test(text)) return Number(text)
  if (text.length > MAX_CHARACTERS) return undefined
  const amount = /^[<>~]/.test(text) ? text.slice(1).trimStart() : text
  const match = /^([-+]?)((?:[.,'\s]*\d)+)\s*(?:\+|[a-z]{1,3}\.?)?$/i.exec(amount)
  if (!match) return undefined
  const digits = (match[2] ?? '').replace(/['\s]/g, '')
  const isGrouped = /^[1-9]\d{0,2}(?:,\d{3})+$|^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(digits)
  const decimalAt = isGrouped ? -1 : Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'))
  const whole = decimalAt < 0 ? digits : digits.slice(0, decimalAt)
  const fraction = decimalAt < 0 ? '' : digits.slice(decimalAt + 1)
  const number = Number(`${match[1]}${whole.replace(/[.,]/g, '')}.${fraction || '0'}`)
  return Number.isFinite(number) ? number : undefined
}
