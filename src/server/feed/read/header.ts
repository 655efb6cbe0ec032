import { normalizeName } from './normalize-name'

/** Normalized names; a first row that has one of them is a header. */
const HEADER_NAMES = new Set(
  (
    'id sku handle title name product productname productid productcode item itemid itemname ' +
    'itemnumber itemno code ean ean13 upc gtin isbn mpn barcode asin brand vendor supplier ' +
    'manufacturer model description desc price cost msrp rrp retailprice wholesaleprice currency ' +
    'quantity qty stock inventory available availability category categories type color colour ' +
    'size weight image imageurl link url date status variant condition department collection country ' +
    'artikel artikelnummer artikelnr bezeichnung beschreibung preis menge bestand warengruppe ' +
    'kategorie hersteller nom produit prix quantite reference ref designation marque couleur ' +
    'taille nombre producto precio cantidad referencia marca codigo nazwa cena ilosc kod opis ' +
    'nazev mnozstvi popis kategoria nev ar mennyiseg naam prijs aantal nome prezzo quantita ' +
    'preco namn pris antal navn'
  ).split(' '),
)

/** How many cells are names that columns of catalogues have in common. */
export function countKnownNames(row: string[]): number {
  return row.filter((cell) => HEADER_NAMES.has(normalizeName(cell))).length
}

export type CellKind = 'number' | 'address' | 'date' | 'text' | 'empty'

const NUMBER = /^[-+]?[€$£]?\s?\d[\d\s]*([.,]\d+)*\s?[€$£%]?$/
const ADDRESS = /^(?:https?:\/\/\S+|[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+)$/i
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T]\d{1,2}:\d{2}.*)?$/

/** @param cell shortened, because it is matched with patterns */
export function kindOf(cell: string): CellKind {
  const text = cell.trim()
  if (text === '') return 'empty'
  if (DATE.test(text)) return 'date'
  if (NUMBER.test(text)) return 'number'
  return ADDRESS.test(text) ? 'address' : 'text'
}

/**
 * Whether the first row is a header. When in doubt it is: a header taken for data would appear as a
 * product, while data taken for a header is obvious in the preview. There is no header only if the
 * first row looks like the rows below in at least two columns (three, if one cell is a known name) and
 * like a name in none.
 * @param rows the first rows, with shortened cells
 */
export function detectHeader(rows: string[][]): boolean {
  const first = rows[0] ?? []
  // Concatenated files repeat their header.
  const rest = rows.slice(1).filter((row) => !isSameRow(row, first))
  if (rest.length < 2) return true
  const knownNames = countKnownNames(first)
  if (knownNames > 1) return true
  let likeData = 0
  for (const [column, cell] of first.entries()) {
    const below = rest.map((row) => row[column] ?? '').filter((other) => other.trim() !== '')
    const verdict = compareToBelow(cell, below)
    if (verdict === 'name') return true
    if (verdict === 'data') likeData++
  }
  // A cell such as `Title` or `Size` alone may be data.
  const needed = Math.min(2, first.length)
  if (knownNames > 0 && likeData <= needed) return true
  return likeData < needed || isSeries(first)
}

function isSameRow(row: string[], other: string[]): boolean {
  const isSameCell = (cell: string, column: number) =>
    withoutMark(cell) === withoutMark(other[column] ?? '')
  return row.length === other.length && row.every(isSameCell)
}

/** Concatenated files may begin with a byte order mark each. */
const withoutMark = (cell: string) => cell.replace(/^\uFEFF/, '')

function compareToBelow(cell: string, below: string[]): 'name' | 'data' | 'open' {
  const kind = kindOf(cell)
  if (kind === 'empty' || below.length === 0) return 'open'
  const alike = below.filter((other) => kindOf(other) === kind).length / below.length
  if (kind !== 'text') return alike >= 0.8 ? 'data' : 'open'
  if (below.every((other) => kindOf(other) !== 'text')) return 'name'
  return below.includes(cell) ? 'data' : 'open'
}

/** Whether the names are a series of numbers, such as years or sizes: 2023, 2024, 2025. */
function isSeries(first: string[]): boolean {
  if (first.some((cell) => kindOf(cell) === 'date' || kindOf(cell) === 'address')) return false
  const numbers = first.filter((cell) => /^\d{1,4}$/.test(cell.trim())).map(Number)
  const [one = 0, two = 0] = numbers
  const step = two - one
  return (
    numbers.length >= 2 && step > 0 && numbers.every((value, index) => value === one + index * step)
  )
}
