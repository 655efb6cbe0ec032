import { type CategorySeparators, readCategories } from '../../../../shared/categories'
import { CATEGORY_EXAMPLES } from '../../../../shared/constants'

/** Longer cells are no examples. */
const MAX_CHARACTERS = 200
/** All characters by which a category cell can be split. */
const SEPARATORS = /[>»/|;,]/

/**
 * Picks cells that show how categories are split: those that are, then those that could be, then others.
 * @param cells distinct cells, the most frequent first
 */
export function pickExamples(cells: readonly string[], reading: CategorySeparators): string[] {
  const split: string[] = []
  const whole: string[] = []
  const plain: string[] = []
  for (const cell of cells) {
    const text = cell.trim()
    if (text === '' || text.length > MAX_CHARACTERS) continue
    if (isSplit(text, reading)) split.push(text)
    else if (SEPARATORS.test(text)) whole.push(text)
    else plain.push(text)
    if (split.length === CATEGORY_EXAMPLES) break
  }
  return [...split, ...whole, ...plain].slice(0, CATEGORY_EXAMPLES)
}

function isSplit(cell: string, reading: CategorySeparators): boolean {
  const paths = readCategories(cell, reading)
  return paths.length > 1 || paths.some((path) => path.length > 1)
}
