import { foldName, isReadableCategory } from '../../../shared/categories'
import {
  CATEGORY_CELL_MAX_LENGTH,
  CATEGORY_MAX_ENTRIES,
  CATEGORY_MAX_LEVELS,
} from '../../../shared/constants'
import type { CategoryCount, CategoryReading } from '../../../shared/schemas/file'
import { detectSeparators } from './category-separators'
import { displayName } from './display-cell'
import { createFillDown } from './fill-down'
import { normalizeName } from './normalize-name'
import type { ProblemLog } from './problems'
import type { RecordBatch } from './scan'

/** Normalized column names, the preferred ones first. */
const CATEGORY_NAMES = (
  'category categories productcategory productcategories categoryname categorynames categorypath ' +
  'fullcategory categorytree categoryhierarchy maincategory primarycategory itemcategory ' +
  'shopcategory storecategory merchantcategory stockcategory breadcrumb breadcrumbs ' +
  'kategorie kategorien hauptkategorie produktkategorie warengruppe warengruppen produktgruppe ' +
  'artikelgruppe categorie categories categorieproduit rubrique rayon famille categoria ' +
  'categorias kategoria kategorie kategoriak kategori kategorier varugrupp varegruppe ' +
  'tuoteryhma productgroep artikelgroep skupina skupinaizdelkov kategorija kategorije ' +
  'kategorijaproizvoda kategorijaizdelka grupa grupaproizvoda vrsta vrstaproizvoda kategoriaproduktu ' +
  'kategorieproduktu druhzbozi sortiment categoriaprodotto categoriaproducto categoriadeproducto ' +
  'gruppo reparto grupo rubro departamento secao osasto kategoriler urunkategorisi κατηγορια ' +
  'κατηγοριες категория категории категорія рубрика группа раздел ' +
  'department departments productgroup productgroups itemgroup collection collections ' +
  'googleproductcategory googleshoppinggoogleproductcategory googlecategory ' +
  'categorylevel1 category1 level1category subcategory'
).split(' ')

/** Used as category names too, but shop systems also have technical product types in them. */
const TYPE_NAMES = ['producttype', 'producttypes', 'type']
const TECHNICAL_TYPES = new Set(
  'simple variable configurable variation grouped bundle virtual downloadable external'.split(' '),
)

const MAX_CANDIDATES = 6
/** Of one column; with more it is not a category column. */
const MAX_DISTINCT_CELLS = 20_000
const MAX_DISTINCT_CHARACTERS = 4 * 1024 * 1024
/** Of all candidate columns together; beyond it the least preferred ones are dropped. */
const MAX_TOTAL_CHARACTERS = 8 * 1024 * 1024

/**
 * Finds a column by name. Names are compared as displayed and regardless of case; of several matches
 * the first is returned.
 * @param columns the names as displayed
 * @returns the index; -1 when there is no such column
 */
export function findColumn(columns: string[], name: string): number {
  const wanted = foldName(displayName(name))
  return columns.findIndex((column) => foldName(column) === wanted)
}

export interface CategorySummary {
  categoryReading: CategoryReading | null
  /** Sorted by number of rows, descending. */
  categoryCounts: CategoryCount[]
}

/** Counts the rows by category cell, in the chosen column or in all candidate columns. */
export interface CategoryTally {
  add(batch: RecordBatch, record: number): void
  result(problems: ProblemLog): CategorySummary
}

/** @param choice what the supplier chose or an earlier sync detected; null to detect it now */
export function createCategoryTally(
  columns: string[],
  choice: CategoryReading | null,
): CategoryTally {
  const indexes = choice ? [findColumn(columns, choice.column)] : findCandidates(columns)
  const candidates = indexes
    .filter((index) => index >= 0)
    .map((index) => createCandidate(columns, index))
  return {
    add(batch, record) {
      for (const candidate of candidates) candidate.add(batch, record)
      const kept = candidates.reduce((sum, candidate) => sum + candidate.characters(), 0)
      if (kept > MAX_TOTAL_CHARACTERS) candidates.pop()
    },
    result(problems) {
      if (choice) return readChosen(choice, candidates[0], problems)
      const found = chooseCandidate(candidates.filter((candidate) => candidate.isUsable()))
      if (!found) {
        reportOverfull(candidates, columns, problems)
        return { categoryReading: null, categoryCounts: [] }
      }
      const categoryCounts = found.counts()
      const separators = detectSeparators(categoryCounts.map(({ cell }) => cell))
      const categoryReading = { column: columns[found.index] ?? '', ...separators }
      found.reportUnreadable(categoryReading, problems)
      return { categoryReading, categoryCounts }
    },
  }
}

/** Texts are preferred to the numbers of categories, and filled columns to sparse ones. */
function chooseCandidate(usable: Candidate[]): Candidate | undefined {
  const texts = usable.filter((candidate) => !candidate.isNumeric())
  return texts.find((candidate) => candidate.isFilled()) ?? texts[0] ?? usable[0]
}

function reportOverfull(candidates: Candidate[], columns: string[], problems: ProblemLog): void {
  const overfull = candidates.find((candidate) => candidate.isOverfull())
  if (!overfull) return
  const name = columns[overfull.index] ?? ''
  problems.add(
    null,
    `The column "${name}" has too many different values to be used for categories.`,
  )
}

/** A column's name for comparison, without a unit: `Categories (x;y;z)`. */
const toComparable = (name: string) => normalizeName(name.replace(/\([^()]*\)/g, ''))

function findCandidates(columns: string[]): number[] {
  const names = columns.map(toComparable)
  const found = [...CATEGORY_NAMES, ...TYPE_NAMES]
    .map((name) => names.indexOf(name))
    .filter((index) => index >= 0 && columns[index] !== '')
  return [...new Set(found)].slice(0, MAX_CANDIDATES)
}

function readChosen(
  choice: CategoryReading,
  candidate: Candidate | undefined,
  problems: ProblemLog,
): CategorySummary {
  if (!candidate) {
    problems.add(null, `The category column "${choice.column}" is not in the file.`)
  } else if (candidate.isOverfull()) {
    problems.add(
      null,
      `The category column "${choice.column}" has too many different values to be used.`,
    )
  } else {
    candidate.reportUnreadable(choice, problems)
    return { categoryReading: choice, categoryCounts: candidate.counts() }
  }
  return { categoryReading: null, categoryCounts: [] }
}

interface Candidate {
  index: number
  add(batch: RecordBatch, record: number): void
  /** Total length of the distinct cells that are held in memory. */
  characters(): number
  /** Whether a limit was exceeded; nothing is counted any more then. */
  isOverfull(): boolean
  isUsable(): boolean
  /** Whether most cells are bare numbers. */
  isNumeric(): boolean
  /** Whether at least half of the rows have a category. */
  isFilled(): boolean
  counts(): CategoryCount[]
  /** Reports cells that exceed the limits of categories. */
  reportUnreadable(reading: CategoryReading, problems: ProblemLog): void
}

function createCandidate(columns: string[], index: number): Candidate {
  const found = new Map<string, { rows: number; line: number }>()
  const fillDown = createFillDown(columns, index)
  const isType = TYPE_NAMES.includes(toComparable(columns[index] ?? ''))
  let characters = 0
  let isOverfull = false
  const counts = () =>
    [...found]
      .map(([cell, { rows }]) => ({ cell, rows }))
      .toSorted((a, b) => b.rows - a.rows || (a.cell < b.cell ? -1 : 1))
  return {
    index,
    characters: () => characters,
    isOverfull: () => isOverfull,
    add(batch, record) {
      if (isOverfull) return
      const cell = fillDown(batch, record)
      const known = found.get(cell)
      if (known) {
        known.rows++
        return
      }
      found.set(cell, { rows: 1, line: batch.lines[record] ?? 0 })
      characters += cell.length
      isOverfull = found.size > MAX_DISTINCT_CELLS || characters > MAX_DISTINCT_CHARACTERS
      if (!isOverfull) return
      found.clear()
      characters = 0
    },
    isUsable() {
      const hasNames = found.size > (found.has('') ? 1 : 0)
      return !isOverfull && hasNames && !(isType && holdsTechnicalTypes(counts()))
    },
    isNumeric: () => shareOfRows(found, (cell) => /^\s*\d[\d.\s]*$/.test(cell)) > 0.5,
    isFilled: () => shareOfRows(found, (cell) => cell.trim() !== '') >= 0.5,
    counts,
    reportUnreadable(reading, problems) {
      for (const [cell, { rows, line }] of found) {
        if (!isReadableCategory(cell, reading)) problems.add(line, BEYOND_BOUNDS, rows)
      }
    },
  }
}

function shareOfRows(
  cells: Map<string, { rows: number }>,
  isCounted: (cell: string) => boolean,
): number {
  let counted = 0
  let all = 0
  for (const [cell, { rows }] of cells) {
    all += rows
    if (isCounted(cell)) counted += rows
  }
  return all === 0 ? 0 : counted / all
}

const BEYOND_BOUNDS =
  `Some category cells are longer than ${CATEGORY_CELL_MAX_LENGTH} characters, deeper than ` +
  `${CATEGORY_MAX_LEVELS} levels or hold more than ${CATEGORY_MAX_ENTRIES} categories; their rows ` +
  'belong to no category.'

/** Whether most rows have technical types; WooCommerce joins them: `simple, downloadable, virtual`. */
function holdsTechnicalTypes(counts: CategoryCount[]): boolean {
  let technical = 0
  let others = 0
  for (const { cell, rows } of counts) {
    const words = cell
      .toLowerCase()
      .split(',')
      .map((word) => word.trim())
    if (cell === '') continue
    if (words.every((word) => TECHNICAL_TYPES.has(word))) technical += rows
    else others += rows
  }
  return technical > others
}
