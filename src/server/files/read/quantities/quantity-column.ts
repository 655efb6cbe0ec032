import type {
  ColumnNumbers,
  DecimalMark,
  KnownMark,
  NumberStyle,
} from '../../../../shared/schemas/column-numbers'
import { findColumn } from '../categories/category-column'
import { OTHER_SCRIPTS } from '../other-scripts'
import { findNamed } from '../path-names'
import type { ProblemLog } from '../problems'
import { type RecordBatch, cellStart } from '../scan/scan'
import { reportNumbers } from './number-notes'
import { createNumberEvidence, createQuantitySum } from './number-style'
import { parseQuantity, readDigits } from './quantity'

/** Normalized column names, the preferred ones first. */
export const QUANTITY_NAMES: readonly string[] = [
  ...(
    'quantity qty stock stocklevel inventory inventoryquantity inventoryqty variantinventoryqty ' +
    'variantinventoryquantity stockquantity stockqty availablequantity availableqty ' +
    'quantityavailable qtyavailable quantityonhand qtyonhand onhandquantity onhand stockonhand ' +
    'qtyinstock quantityinstock instock currentstock totalstock freestock inventorylevel soh units ' +
    'available menge bestand lagerbestand lagermenge verfugbar verfugbaremenge anzahl lager ' +
    'quantite quantitestock stockdisponible quantitedisponible cantidad existencias quantita ' +
    'giacenza disponibilita quantidade estoque ilosc stan stanmagazynowy mnozstvi skladem ' +
    'pocetkusov pocetkusu sklad mnozstvo mennyiseg keszlet raktarkeszlet aantal voorraad antal ' +
    'labst lagersaldo lagerantal beholdning kolicina zaliha cantitate stoc'
  ).split(' '),
  ...OTHER_SCRIPTS.quantity,
]

const MAX_NAMED = 4
/** Those found by their names, and the one that the supplier has chosen. */
export const MAX_QUANTITY_COLUMNS = MAX_NAMED + 1
/** Including spaces around the number. */
const MAX_CELL_CHARACTERS = 200

/** What is known of a file's numbers before it is read. */
export interface NumberChoice {
  /** The decimal mark that the supplier has chosen; null: the file shows it. */
  decimalMark: DecimalMark | null
  /** What earlier files have shown. */
  remembered: readonly KnownMark[]
}

export interface QuantityChoice extends NumberChoice {
  /** The column that the supplier has chosen; null: it is found by its name. */
  column: string | null
}

export const AUTOMATIC_NUMBERS: NumberChoice = { decimalMark: null, remembered: [] }

/** Where a table has its quantities, and how they are written. */
export interface QuantityColumns {
  /** The place of the preferred column with a number in it so far; -1 without any. */
  place(): number
  /** How the numbers of a column are read. Must be called after the last row. */
  styleAt(place: number): NumberStyle
}

/** Sums the quantity column, for the guard that compares a version with the one before, and judges its numbers. */
export interface QuantityTally extends QuantityColumns {
  add(batch: RecordBatch, record: number): void
  /** null when there is no quantity column with a number in it. */
  sum(): { column: string; sum: number } | null
  /** How the numbers of each possible quantity column are written. */
  numbers(): ColumnNumbers[]
  /** Tells what of the numbers is guessed. */
  report(problems: ProblemLog): void
}

/** @param arePaths whether columns are called by paths: `findNamed` */
export function createQuantityTally(
  columns: string[],
  choice: QuantityChoice,
  arePaths = false,
): QuantityTally {
  const chosen = choice.column === null ? -1 : findColumn(columns, choice.column)
  const named = findNamed(columns, QUANTITY_NAMES, arePaths).slice(0, MAX_NAMED)
  const candidates = [...new Set([...named, chosen])]
    .filter((place) => place >= 0)
    .map((place) => createCandidate(columns[place] ?? '', place, choice))
  const found = () =>
    candidates.find(({ place, hasNumber }) => named.includes(place) && hasNumber())
  return {
    add(batch, record) {
      for (const candidate of candidates) candidate.add(batch, record)
    },
    place: () => found()?.place ?? -1,
    styleAt: (at) => candidates.find(({ place }) => place === at)?.style() ?? 'decimals',
    sum: () => found()?.sum() ?? null,
    numbers: () => candidates.map((candidate) => candidate.numbers()),
    report(problems) {
      const candidate = candidates.find(({ place }) => place === chosen) ?? found()
      candidate?.report(problems)
    },
  }
}

function createCandidate(column: string, place: number, choice: QuantityChoice) {
  const evidence = createNumberEvidence()
  const total = createQuantitySum()
  let digits = 0
  let hasNumber = false
  const remembered = findByColumn(choice.remembered, column)?.mark ?? null
  const judge = () => evidence.judge(remembered)
  // Without numbers that depend on it, any style is right.
  const style = () => choice.decimalMark ?? judge() ?? 'decimals'
  return {
    place,
    hasNumber: () => hasNumber,
    add(batch: RecordBatch, record: number): void {
      const plain = readDigits(batch, record, place)
      if (plain !== undefined) {
        digits += plain
        hasNumber = true
        return
      }
      const cell = cellStart(batch, record, place, MAX_CELL_CHARACTERS)
      const written = parseQuantity(cell)
      if (!written) return
      total.add(written)
      evidence.add(cell.trim(), written)
      hasNumber = true
    },
    style,
    sum: () => ({ column, sum: digits + total.total(style()) }),
    numbers(): ColumnNumbers {
      const open = evidence.open()
      return {
        column,
        style: judge(),
        used: open ? style() : null,
        example: open?.example ?? null,
      }
    },
    report(problems: ProblemLog): void {
      reportNumbers(problems, { column, evidence, chosen: choice.decimalMark, remembered })
    },
  }
}

/** What is known of a column; columns are compared as `findColumn` does. */
export function findByColumn<Known extends { column: string }>(
  known: readonly Known[],
  column: string,
): Known | undefined {
  return known[
    findColumn(
      known.map((other) => other.column),
      column,
    )
  ]
}
