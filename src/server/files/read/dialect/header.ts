import { normalizeName } from '../normalize-name'
import { OTHER_SCRIPTS } from '../other-scripts'
import { displayName } from '../scan/display-cell'
import { createCodeComparison, createSeriesComparison } from './codes'

/** Normalized names; a first row that has one of them is a header. */
const HEADER_NAMES = new Set([
  ...(
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
  ...Object.values(OTHER_SCRIPTS).flat(),
])

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

/** What was found of the file before. */
export interface KnownHeader {
  hasHeader: boolean
  /** The names of its first columns, as displayed. */
  columns: string[]
  columnCount: number
}

export interface HeaderVerdict {
  hasHeader: boolean
  /** Whether the first row may be the other of header and product, so that its supplier is told. */
  isGuess: boolean
}

/** Of the cells below, how many must be like the first one. */
const MIN_ALIKE = 0.8

/**
 * Decides whether the first row is a header. In doubt it is: a header taken for data would appear as a
 * product. There is no header only if the first row looks like the rows below in at least two columns
 * (three, if one cell is a known name; all, if there is one row below) and like a name in none. A column of
 * keys that differ only in their digits counts as two.
 *
 * What was found of the file before is kept while it fits: names that are the same are a header, as is a
 * first row that keeps a known name, whatever the others are now; and a first row without names is none
 * below no header. Names that were not sure and have changed were data, if none is a known name. Where this
 * decides against the rows, it is a guess.
 * @param rows the first rows, with shortened cells
 */
export function judgeHeader(rows: string[][], known?: KnownHeader): HeaderVerdict {
  const first = rows[0] ?? []
  const evidence = findEvidence(rows)
  const verdict = weigh(first, evidence)
  const isSure = verdict.hasHeader && !verdict.isGuess
  if (!known || first.length === 0 || isSure) return verdict
  if (known.hasHeader && (hasNames(first, known) || keepsKnownName(first, known)))
    return GUESSED_HEADER
  const isData = !known.hasHeader || (evidence.likeData > 0 && evidence.knownNames === 0)
  return isData && verdict.hasHeader ? GUESSED_DATA : verdict
}

/** Whether the first row is a header, by these rows alone. */
export function detectHeader(rows: string[][]): boolean {
  return judgeHeader(rows).hasHeader
}

const SURE_HEADER: HeaderVerdict = { hasHeader: true, isGuess: false }
const GUESSED_HEADER: HeaderVerdict = { hasHeader: true, isGuess: true }
const NO_HEADER: HeaderVerdict = { hasHeader: false, isGuess: false }
const GUESSED_DATA: HeaderVerdict = { hasHeader: false, isGuess: true }

interface Evidence {
  /** Rows below the first one, without those that repeat it. */
  rowsBelow: number
  /** Cells of the first row: names of columns; words over numbers; like those below, keys counted twice. */
  knownNames: number
  names: number
  likeData: number
  /** Whether the names are numbered. */
  isSeries: boolean
}

function findEvidence(rows: string[][]): Evidence {
  const first = rows[0] ?? []
  // Concatenated files repeat their header.
  const rest = rows.slice(1).filter((row) => !isSameRow(row, first))
  const verdicts = first.map((cell, column) => {
    const below = rest.map((row) => row[column] ?? '').filter((other) => other.trim() !== '')
    return compareToBelow(cell, below)
  })
  const count = (wanted: CellVerdict) => verdicts.filter((verdict) => verdict === wanted).length
  const isWordLikeData = (cell: string, column: number) =>
    verdicts[column] === 'key' || (verdicts[column] === 'data' && kindOf(cell) === 'text')
  return {
    rowsBelow: rest.length,
    knownNames: countKnownNames(first),
    names: count('name'),
    likeData: count('data') + 2 * count('key'),
    isSeries: areNumberedWords(first) || (areNumbered(first) && !first.some(isWordLikeData)),
  }
}

function weigh(first: string[], evidence: Evidence): HeaderVerdict {
  const { rowsBelow, knownNames, names, likeData } = evidence
  if (knownNames > 1) return SURE_HEADER
  const isSure = knownNames > 0 ? names > 0 || likeData === 0 : names > 0 && likeData === 0
  // One row below may differ from the first by chance.
  if (names > 0) return isSure && (knownNames > 0 || rowsBelow > 1) ? SURE_HEADER : GUESSED_HEADER
  const filled = first.filter((cell) => cell.trim() !== '').length
  const needed = rowsBelow > 1 ? Math.min(2, first.length) : Math.max(1, filled)
  // A cell such as `Title` or `Size` alone may be data.
  const isData = likeData >= needed && (knownNames === 0 || likeData > needed) && !evidence.isSeries
  if (isData) return NO_HEADER
  return isSure ? SURE_HEADER : GUESSED_HEADER
}

function hasNames(first: string[], { columns, columnCount }: KnownHeader): boolean {
  const isSameName = (name: string, column: number) =>
    displayName(withoutMark(first[column] ?? '')) === name
  return first.length === columnCount && columns.every(isSameName)
}

/** Whether a name that catalogues have in common is in both headers, in any column. */
function keepsKnownName(first: string[], { columns }: KnownHeader): boolean {
  return first.some(
    (cell) => countKnownNames([cell]) > 0 && columns.includes(displayName(withoutMark(cell))),
  )
}

function isSameRow(row: string[], other: string[]): boolean {
  const isSameCell = (cell: string, column: number) =>
    withoutMark(cell) === withoutMark(other[column] ?? '')
  return row.length === other.length && row.every(isSameCell)
}

/** Concatenated files may begin with a byte order mark each. */
const withoutMark = (cell: string) => cell.replace(/^\uFEFF/, '')

type CellVerdict = 'name' | 'data' | 'key' | 'open'

function compareToBelow(cell: string, below: string[]): CellVerdict {
  const kind = kindOf(cell)
  if (kind === 'empty' || below.length === 0) return 'open'
  const areAlike = (isAlike: (other: string) => boolean) =>
    below.filter(isAlike).length >= MIN_ALIKE * below.length
  if (kind !== 'text') return areAlike((other) => kindOf(other) === kind) ? 'data' : 'open'
  if (below.every((other) => kindOf(other) !== 'text')) return 'name'
  if (below.includes(cell)) return 'data'
  const isInSeries = createSeriesComparison(cell)
  if (isInSeries && areAlike(isInSeries)) return 'key'
  const isLikeCode = createCodeComparison(cell)
  return isLikeCode && areAlike(isLikeCode) ? 'data' : 'open'
}

/** Whether the numbers among the names are years or sizes, side by side: 2023, 2024, 2025. */
function areNumbered(first: string[]): boolean {
  if (first.some((cell) => kindOf(cell) === 'date' || kindOf(cell) === 'address')) return false
  return isSeries(matchAll(first, /^()(\d{1,4})$/))
}

/** Whether all names are one word with numbers: c1, c2, c3. */
function areNumberedWords(first: string[]): boolean {
  const found = matchAll(first, /^(\D{1,20})(\d{1,4})$/)
  return found.length === first.length && isSeries(found)
}

interface NumberedWord {
  word: string
  number: number
  column: number
}

function matchAll(cells: string[], pattern: RegExp): NumberedWord[] {
  return cells.flatMap((cell, column) => {
    const [, word = '', digits] = pattern.exec(cell.trim()) ?? []
    return digits === undefined ? [] : { word, number: Number(digits), column }
  })
}

/** Whether the words are the same, the columns neighbours, and the numbers at one distance: 1 if they are two. */
function isSeries(found: NumberedWord[]): boolean {
  const [one, two] = found
  if (!one || !two) return false
  const step = two.number - one.number
  const isNext = ({ word, number, column }: NumberedWord, index: number) =>
    word === one.word && column === one.column + index && number === one.number + index * step
  return (step === 1 || (step > 0 && found.length > 2)) && found.every(isNext)
}
