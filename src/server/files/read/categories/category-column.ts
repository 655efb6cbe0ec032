import { foldName } from '../../../../shared/categories'
import type { CategoryCount, CategoryReading } from '../../../../shared/schemas/file'
import { withoutUnit } from '../normalize-name'
import { findNamed } from '../path-names'
import type { ProblemLog } from '../problems'
import { displayName } from '../scan/display-cell'
import type { RecordBatch } from '../scan/scan'
import { type Candidate, TYPE_NAMES, countRow, createCandidate } from './category-candidate'
import { createContentTally } from './category-content'
import { pickExamples } from './category-examples'
import { detectSeparators, findUnsplit } from './category-separators'

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

const MAX_CANDIDATES = 6

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
  /** Cells that show how they are split. */
  categoryExamples: string[]
}

const NO_CATEGORIES: CategorySummary = {
  categoryReading: null,
  categoryCounts: [],
  categoryExamples: [],
}

function summarize(
  categoryReading: CategoryReading,
  categoryCounts: CategoryCount[],
): CategorySummary {
  const cells = categoryCounts.map(({ cell }) => cell)
  const categoryExamples = pickExamples(cells, categoryReading)
  return { categoryReading, categoryCounts, categoryExamples }
}

/** Counts the rows by category cell, in the chosen column or in all candidate columns. */
export interface CategoryTally {
  add(batch: RecordBatch, record: number): void
  result(problems: ProblemLog): CategorySummary
}

/**
 * @param choice what the supplier chose or an earlier sync detected; null to detect it now
 * @param arePaths whether columns are called by paths: `findNamed`
 */
export function createCategoryTally(
  columns: string[],
  choice: CategoryReading | null,
  arePaths = false,
): CategoryTally {
  const indexes = choice ? [findColumn(columns, choice.column)] : findCandidates(columns, arePaths)
  const candidates = indexes
    .filter((index) => index >= 0)
    .map((index) => createCandidate(columns, index))
  const isUsable = (candidate: Candidate) =>
    candidate.isUsable() && !(arePaths && candidate.isStructured())
  const content = choice || candidates.length > 0 ? undefined : createContentTally(columns)
  return {
    add(batch, record) {
      content?.add(batch, record)
      countRow(candidates, batch, record)
    },
    result(problems) {
      if (choice) return readChosen(choice, candidates[0], problems)
      const byContent = content?.find()
      const found = byContent?.candidate ?? chooseCandidate(candidates.filter(isUsable))
      if (!found) {
        reportOverfull(candidates, columns, problems)
        return NO_CATEGORIES
      }
      const categoryCounts = found.counts()
      const separators = detectSeparators(categoryCounts.map(({ cell }) => cell))
      const categoryReading = { column: columns[found.index] ?? '', ...separators }
      found.reportUnreadable(categoryReading, problems)
      reportUnsplit(categoryReading, categoryCounts, problems)
      if (byContent) reportContent(categoryReading.column, byContent.reason, problems)
      return summarize(categoryReading, categoryCounts)
    },
  }
}

/** Texts are preferred to the numbers of categories, and filled columns to sparse ones. */
function chooseCandidate(usable: Candidate[]): Candidate | undefined {
  const texts = usable.filter((candidate) => !candidate.isNumeric())
  return texts.find((candidate) => candidate.isFilled()) ?? texts[0] ?? usable[0]
}

function reportContent(column: string, reason: string, problems: ProblemLog): void {
  problems.add(
    null,
    `No column is named like categories. “${column}” was taken, because ${reason}; choose another if it is wrong.`,
  )
}

/** Tells of cells that are read as one category, although retailers may expect levels or several. */
function reportUnsplit(
  reading: CategoryReading,
  counts: readonly CategoryCount[],
  problems: ProblemLog,
): void {
  const cells = counts.map(({ cell }) => cell)
  const unsplit = findUnsplit(cells, reading)
  if (!unsplit) return
  const { cell, separator } = unsplit
  problems.add(
    null,
    `“${cutText(cell)}” in the column “${reading.column}” is read as one category; if “${separator}” separates categories, choose it.`,
    { setting: 'categorySeparators' },
  )
}

/** As much of a cell as is shown in a sentence. */
const cutText = (cell: string) => (cell.length > 80 ? `${cell.slice(0, 80).toWellFormed()}…` : cell)

function reportOverfull(candidates: Candidate[], columns: string[], problems: ProblemLog): void {
  const overfull = candidates.find((candidate) => candidate.isOverfull())
  if (!overfull) return
  const name = columns[overfull.index] ?? ''
  problems.add(
    null,
    `The column "${name}" has too many different values to be used for categories.`,
  )
}

function findCandidates(columns: string[], arePaths: boolean): number[] {
  const names = columns.map(withoutUnit)
  const found = findNamed(names, [...CATEGORY_NAMES, ...TYPE_NAMES], arePaths)
  return [...new Set(found.filter((place) => columns[place] !== ''))].slice(0, MAX_CANDIDATES)
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
    const categoryCounts = candidate.counts()
    candidate.reportUnreadable(choice, problems)
    reportUnsplit(choice, categoryCounts, problems)
    return summarize(choice, categoryCounts)
  }
  return NO_CATEGORIES
}
