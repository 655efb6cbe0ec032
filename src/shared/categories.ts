import type { CategoryReading } from './schemas/file'

/** How a cell is split; the column plays no part in it. */
export type CategorySigns = Pick<CategoryReading, 'pathSign' | 'listSign'>

/** A category found in a file is stored so, whatever sign the file uses. */
export const PATH_JOINT = ' > '

/** Matchers remember their answers for so many distinct cells. */
const MAX_REMEMBERED_CELLS = 50_000

/**
 * The categories of a cell, each as its levels from the top. Names are trimmed and otherwise as
 * written; empty ones are left out, so an empty cell has no category.
 */
export function readCategories(cell: string, reading: CategorySigns): string[][] {
  const names = reading.listSign === null ? [cell] : cell.split(reading.listSign)
  return names.map((name) => readPath(name, reading)).filter((path) => path.length > 0)
}

function readPath(name: string, { pathSign }: CategorySigns): string[] {
  const levels = pathSign === null ? [name] : name.split(pathSign)
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
export function categoryKey(category: string, reading: CategorySigns): string {
  return foldName(readPath(category, reading).join(PATH_JOINT))
}

/** The comparable forms of the categories of a cell and of all their ancestors, each once. */
function keysOfCell(cell: string, reading: CategorySigns): Set<string> {
  const keys = new Set<string>()
  for (const path of readCategories(cell, reading)) {
    for (let depth = 1; depth <= path.length; depth++) {
      keys.add(foldName(path.slice(0, depth).join(PATH_JOINT)))
    }
  }
  return keys
}

/**
 * Tells whether a row with this category cell is visible to a retailer with these categories: one
 * of them equals, or is an ancestor of, one of the row's. Rows without a category match nothing.
 */
export function createCategoryMatcher(
  categories: readonly string[],
  reading: CategorySigns,
): (cell: string) => boolean {
  const chosen = new Set(categories.map((category) => categoryKey(category, reading)))
  chosen.delete('')
  const answers = new Map<string, boolean>()
  return (cell) => {
    const known = answers.get(cell)
    if (known !== undefined) return known
    const isMatch = chosen.size > 0 && [...keysOfCell(cell, reading)].some((key) => chosen.has(key))
    if (answers.size < MAX_REMEMBERED_CELLS) answers.set(cell, isMatch)
    return isMatch
  }
}

/**
 * The same text for the same set of categories, however it was typed: retailers with equal keys
 * share one file. `reading` also makes the file's own path sign and ` > ` equal.
 */
export function categorySetKey(
  categories: readonly string[],
  reading: CategorySigns = { pathSign: null, listSign: null },
): string {
  const keys = new Set(categories.map((category) => categoryKey(category, reading)))
  keys.delete('')
  return JSON.stringify([...keys].toSorted())
}
