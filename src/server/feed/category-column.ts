import { foldName } from '../../shared/categories'
import type { CategoryCount, CategoryReading } from '../../shared/schemas/file'
import { type CarryForward, createCarryForward } from './carry-forward'
import { detectSigns } from './category-signs'
import { displayCell } from './display-cell'
import { normalizeName } from './normalize-name'
import type { ProblemLog } from './problems'
import { type RecordBatch, cellText } from './scan'

/** In the order of preference. */
const CATEGORY_NAMES = (
  'category categories productcategory productcategories categoryname categorynames categorypath ' +
  'fullcategory categorytree categoryhierarchy maincategory primarycategory itemcategory ' +
  'shopcategory storecategory merchantcategory stockcategory breadcrumb breadcrumbs ' +
  'kategorie kategorien hauptkategorie produktkategorie warengruppe warengruppen produktgruppe ' +
  'artikelgruppe categorie categories categorieproduit rubrique rayon famille categoria ' +
  'categorias kategoria kategorie kategoriak kategori kategorier varugrupp varegruppe ' +
  'tuoteryhma productgroep artikelgroep skupina ' +
  'department departments productgroup productgroups itemgroup collection collections ' +
  'googleproductcategory googleshoppinggoogleproductcategory googlecategory ' +
  'categorylevel1 category1 level1category subcategory'
).split(' ')

/** Shops also use these for the technical kind of a product. */
const TYPE_NAMES = ['producttype', 'producttypes', 'type']
const TECHNICAL_TYPES = new Set(
  'simple variable configurable variation grouped bundle virtual downloadable external'.split(' '),
)

const MAX_CANDIDATES = 6
const MAX_DISTINCT_CELLS = 20_000
const MAX_DISTINCT_CHARACTERS = 4 * 1024 * 1024

/** Column names are equal when trimmed and without regard to case; of equal ones the first counts. */
export function findColumn(columns: string[], name: string): number {
  const wanted = foldName(name)
  return columns.findIndex((column) => foldName(displayCell(column)) === wanted)
}

export interface CategorySummary {
  categoryReading: CategoryReading | null
  /** Most rows first. */
  categoryCounts: CategoryCount[]
}

/** Counts the rows of each category, for the chosen column or for all that may be it. */
export interface CategoryTally {
  add(batch: RecordBatch, record: number): void
  result(problems: ProblemLog): CategorySummary
}

/** @param choice the supplier's, or what an earlier sync found; null to find it now */
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
    },
    result(problems) {
      if (choice) return readChosen(choice, candidates[0], problems)
      const found = candidates.find((candidate) => candidate.isUsable())
      if (!found) return { categoryReading: null, categoryCounts: [] }
      const column = displayCell(columns[found.index] ?? '')
      const counts = found.counts()
      const signs = detectSigns(counts.map(({ cell }) => cell))
      return { categoryReading: { column, ...signs }, categoryCounts: counts }
    },
  }
}

function findCandidates(columns: string[]): number[] {
  const names = columns.map(normalizeName)
  const found = [...CATEGORY_NAMES, ...TYPE_NAMES]
    .map((name) => names.indexOf(name))
    .filter((index) => index >= 0 && displayCell(columns[index] ?? '') !== '')
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
      `The category column "${choice.column}" has too many different values to be one.`,
    )
  } else {
    return { categoryReading: choice, categoryCounts: candidate.counts() }
  }
  return { categoryReading: null, categoryCounts: [] }
}

interface Candidate {
  index: number
  add(batch: RecordBatch, record: number): void
  isOverfull(): boolean
  isUsable(): boolean
  counts(): CategoryCount[]
}

function createCandidate(columns: string[], index: number): Candidate {
  const rowsOf = new Map<string, number>()
  const carry: CarryForward = createCarryForward(columns, index)
  const isType = TYPE_NAMES.includes(normalizeName(columns[index] ?? ''))
  let characters = 0
  let isOverfull = false
  return {
    index,
    isOverfull: () => isOverfull,
    add(batch, record) {
      if (isOverfull) return
      const cell = carry(batch, record, cellText(batch, record, index))
      const rows = rowsOf.get(cell)
      rowsOf.set(cell, (rows ?? 0) + 1)
      if (rows !== undefined) return
      characters += cell.length
      isOverfull = rowsOf.size > MAX_DISTINCT_CELLS || characters > MAX_DISTINCT_CHARACTERS
      if (isOverfull) rowsOf.clear()
    },
    isUsable() {
      const cells = [...rowsOf.keys()].filter((cell) => cell !== '')
      return !isOverfull && cells.length > 0 && !(isType && holdsTechnicalTypes(rowsOf))
    },
    counts: () =>
      [...rowsOf]
        .map(([cell, rows]) => ({ cell, rows }))
        .toSorted((a, b) => b.rows - a.rows || (a.cell < b.cell ? -1 : 1)),
  }
}

/** WooCommerce also joins them: `simple, downloadable, virtual`. */
function holdsTechnicalTypes(rowsOf: Map<string, number>): boolean {
  let technical = 0
  let others = 0
  for (const [cell, rows] of rowsOf) {
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
