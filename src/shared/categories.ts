import {
  CATEGORY_CELL_MAX_LENGTH,
  CATEGORY_MAX_ENTRIES,
  CATEGORY_MAX_LEVELS,
  CATEGORY_PATH_MAX_LENGTH,
} from './constants'
import type { CategoryReading } from './schemas/file'

/** How a cell is split; the column plays no part in it. */
export type CategorySeparators = Pick<CategoryReading, 'pathSeparator' | 'listSeparator'>

/** A category found in a file is stored so, whichever separator the file uses. */
export const PATH_JOINT = ' > '

/** Matchers remember their answers for so many distinct cells, of so many characters together. */
const MAX_REMEMBERED_CELLS = 50_000
const MAX_REMEMBERED_CHARACTERS = 4 * 1024 * 1024

/**
 * Whether a cell keeps to the bounds of category cells. One that does not has no category, for
 * counting, filtering and the tree alike.
 */
export function isReadableCategory(cell: string, reading: CategorySeparators): boolean {
  return splitCell(cell, reading) !== undefined
}

/**
 * The categories of a cell, each as its levels from the top. Names are trimmed and otherwise as
 * written; empty ones are left out, so an empty cell has no category. Nor has one beyond the bounds.
 */
export function readCategories(cell: string, reading: CategorySeparators): string[][] {
  return splitCell(cell, reading) ?? []
}

/** undefined beyond the bounds. */
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
 * Names are compared so: trimmed, in one Unicode form, without regard to case. Through upper case
 * as well, because `ß` and `SS`, or the two small sigmas, differ in lower case alone.
 */
export function foldName(name: string): string {
  return name.trim().normalize('NFC').toLowerCase().toUpperCase().toLowerCase()
}

/** The comparable form of a chosen category, which may be written with ` > ` or as in the file. */
export function categoryKey(category: string, reading: CategorySeparators): string {
  if (category.length > CATEGORY_PATH_MAX_LENGTH) return ''
  const path = splitPath(category, reading)
  return path.length > CATEGORY_MAX_LEVELS ? '' : foldName(path.join(PATH_JOINT))
}

/** The comparable forms of the categories of a cell and of all their ancestors, each once. */
function keysOfCell(cell: string, reading: CategorySeparators): Set<string> {
  const keys = new Set<string>()
  for (const path of readCategories(cell, reading)) {
    for (const text of joinEach(path)) keys.add(foldName(text))
  }
  return keys
}

/** The levels of a path down to each of them, joined: `a`, `a > b`, `a > b > c`. */
function joinEach(path: string[]): string[] {
  return path.map((_, depth) => path.slice(0, depth + 1).join(PATH_JOINT))
}

/**
 * Tells whether a row with this category cell is visible to a retailer with these categories: one
 * of them equals, or is an ancestor of, one of the row's. Rows without a category match nothing.
 */
export function createCategoryMatcher(
  categories: readonly string[],
  reading: CategorySeparators,
): (cell: string) => boolean {
  const chosen = new Set(categories.map((category) => categoryKey(category, reading)))
  chosen.delete('')
  const answers = new Map<string, boolean>()
  let characters = 0
  return (cell) => {
    const known = answers.get(cell)
    if (known !== undefined) return known
    const isMatch = chosen.size > 0 && [...keysOfCell(cell, reading)].some((key) => chosen.has(key))
    characters += cell.length
    if (answers.size < MAX_REMEMBERED_CELLS && characters <= MAX_REMEMBERED_CHARACTERS) {
      answers.set(cell, isMatch)
    }
    return isMatch
  }
}

/**
 * The same text for the same set of categories, however it was typed: retailers with equal keys
 * share one file. `reading` also makes the file's own path separator and ` > ` equal.
 */
export function categorySetKey(
  categories: readonly string[],
  reading: CategorySeparators = { pathSeparator: null, listSeparator: null },
): string {
  const keys = new Set(categories.map((category) => categoryKey(category, reading)))
  keys.delete('')
  return JSON.stringify([...keys].toSorted())
}

/** The categories that a key stands for, in their comparable form. */
export function readCategorySetKey(key: string): string[] {
  return JSON.parse(key) as string[]
}
