import {
  CATEGORY_CELL_MAX_LENGTH,
  CATEGORY_MAX_ENTRIES,
  CATEGORY_MAX_LEVELS,
  CATEGORY_PATH_MAX_LENGTH,
} from './constants'
import type { CategoryReading } from './schemas/file'

/** The separators by which a category cell is split. */
export type CategorySeparators = Pick<CategoryReading, 'pathSeparator' | 'listSeparator'>

/** Separates the levels of a stored category, whichever separator the file uses. */
export const PATH_JOINT = ' > '

/** Bounds of a matcher's cache: distinct cells, and their characters in total. */
const MAX_CACHED_CELLS = 50_000
const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024

/**
 * Whether a cell is within the bounds of category cells. A cell beyond them has no category, in
 * counting, filtering and the tree alike.
 */
export function isReadableCategory(cell: string, reading: CategorySeparators): boolean {
  const { listSeparator, pathSeparator } = reading
  // Nearly all cells have so few separators that they need not be split.
  const isSmall =
    cell.length <= CATEGORY_CELL_MAX_LENGTH &&
    hasFewer(cell, pathSeparator, CATEGORY_MAX_LEVELS) &&
    hasFewer(cell, listSeparator, CATEGORY_MAX_ENTRIES)
  return isSmall || splitCell(cell, reading) !== undefined
}

/** Whether a sign occurs fewer than `limit` times. */
function hasFewer(text: string, sign: string | null, limit: number): boolean {
  if (sign === null) return true
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count++
  return count < limit
}

/**
 * The categories of a cell, each as its levels from the top. Names are trimmed but not changed
 * otherwise. Empty names are dropped, so an empty cell has no category, like one beyond the bounds.
 */
export function readCategories(cell: string, reading: CategorySeparators): string[][] {
  return splitCell(cell, reading) ?? []
}

/** Returns undefined for a cell beyond the bounds. */
function splitCell(cell: string, reading: CategorySeparators): string[][] | undefined {
  if (cell.length > CATEGORY_CELL_MAX_LENGTH) return undefined
  const names = reading.listSeparator === null ? [cell] : cell.split(reading.listSeparator)
  const paths = names.map((name) => splitPath(name, reading)).filter((path) => path.length > 0)
  const isDeep = paths.some(({ length }) => length > CATEGORY_MAX_LEVELS)
  return isDeep || paths.length > CATEGORY_MAX_ENTRIES ? undefined : paths
}

function splitPath(name: string, { pathSeparator }: CategorySeparators): string[] {
  const levels = pathSeparator === null ? [name] : name.split(pathSeparator)
  return levels.map((level) => level.trim()).filter((level) => level !== '')
}

/**
 * The form in which names are compared: trimmed, NFC, without case. It goes through upper case too,
 * because `ß` and `SS`, or the two lower-case sigmas, only become equal there.
 */
export function foldName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase().toUpperCase().toLowerCase()
}

/** The comparable form of a chosen category, written with ` > ` or with the file's separator. */
export function categoryKey(category: string, reading: CategorySeparators): string {
  if (category.length > CATEGORY_PATH_MAX_LENGTH) return ''
  const path = splitPath(category, reading)
  return path.length > CATEGORY_MAX_LEVELS ? '' : foldName(path.join(PATH_JOINT))
}

/** The distinct comparable forms of a cell's categories and of all their ancestors. */
function keysOfCell(cell: string, reading: CategorySeparators): Set<string> {
  const keys = new Set<string>()
  for (const path of readCategories(cell, reading)) {
    for (const text of joinEach(path)) keys.add(foldName(text))
  }
  return keys
}

/** A cell's categories as one text: equal for cells whose rows the same retailers see. */
export function comparableCell(cell: string, reading: CategorySeparators): string {
  const paths = readCategories(cell, reading).map((path) => foldName(path.join(PATH_JOINT)))
  return [...new Set(paths)].toSorted().join('\n')
}

/** A path and all its ancestors, joined: `a`, `a > b`, `a > b > c`. */
function joinEach(path: string[]): string[] {
  return path.map((_, depth) => path.slice(0, depth + 1).join(PATH_JOINT))
}

/** The same as `matchCategories`, which remembers what it has found of cells. */
export const createCategoryMatcher = (
  categories: readonly string[],
  reading: CategorySeparators,
): ((cell: string) => boolean) => rememberOfCells(matchCategories(categories, reading))

/**
 * Returns whether a row with a given category cell is visible to a retailer with these categories:
 * one of them must equal one of the row's or be its ancestor. Rows without a category never match.
 */
export function matchCategories(
  categories: readonly string[],
  reading: CategorySeparators,
): (cell: string) => boolean {
  const chosen = new Set(categories.map((category) => categoryKey(category, reading)))
  chosen.delete('')
  return (cell) => chosen.size > 0 && [...keysOfCell(cell, reading)].some((key) => chosen.has(key))
}

/** Returns a function that remembers what it has found of the first cells, in bounded memory. */
export function rememberOfCells<Found extends boolean | object>(
  find: (cell: string) => Found,
): (cell: string) => Found {
  const results = new Map<string, Found>()
  let characters = 0
  return (cell) => {
    const known = results.get(cell)
    if (known !== undefined) return known
    const found = find(cell)
    characters += cell.length
    if (results.size < MAX_CACHED_CELLS && characters <= MAX_CACHED_CHARACTERS) {
      results.set(cell, found)
    }
    return found
  }
}

/**
 * Categories in their comparable form, each once and sorted: equal for equal sets, however they were
 * typed. `reading` makes the file's path separator equal to ` > `.
 */
export function comparableCategories(
  categories: readonly string[],
  reading: CategorySeparators = { pathSeparator: null, listSeparator: null },
): string[] {
  const keys = new Set(categories.map((category) => categoryKey(category, reading)))
  keys.delete('')
  return [...keys].toSorted()
}
