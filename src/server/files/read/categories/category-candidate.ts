import { isReadableCategory } from '../../../../shared/categories'
import {
  CATEGORY_CELL_MAX_LENGTH,
  CATEGORY_MAX_ENTRIES,
  CATEGORY_MAX_LEVELS,
} from '../../../../shared/constants'
import type { CategoryCount, CategoryReading } from '../../../../shared/schemas/file'
import { normalizeNameWithoutUnit } from '../normalize-name'
import type { ProblemLog } from '../problems'
import type { RecordBatch } from '../scan/scan'
import { createFillDown } from './fill-down'

/** Used as category names too, but shop systems also have technical product types in them. */
export const TYPE_NAMES = ['producttype', 'producttypes', 'type']
const TECHNICAL_TYPES = new Set(
  'simple variable configurable variation grouped bundle virtual downloadable external'.split(' '),
)

/** Of one column; with more it is not a category column. */
const MAX_DISTINCT_CELLS = 20_000
const MAX_DISTINCT_CHARACTERS = 4 * 1024 * 1024

/** Of all candidate columns together; beyond it the least preferred ones are dropped. */
const MAX_TOTAL_CHARACTERS = 8 * 1024 * 1024

/** A column that may hold categories, with its rows counted by cell. */
export interface Candidate {
  index: number
  add(batch: RecordBatch, record: number): void
  /** Total length of the distinct cells that are held in memory. */
  characters(): number
  /** Whether a limit was exceeded; nothing is counted any more then. */
  isOverfull(): boolean
  isUsable(): boolean
  /** Whether most cells are bare numbers. */
  isNumeric(): boolean
  /** Whether a cell has JSON, as lists with a structure are written. */
  isStructured(): boolean
  /** Whether at least half of the rows have a category. */
  isFilled(): boolean
  counts(): CategoryCount[]
  /** Reports cells that exceed the limits of categories. */
  reportUnreadable(reading: CategoryReading, problems: ProblemLog): void
}

export function createCandidate(columns: string[], index: number): Candidate {
  const found = new Map<string, { rows: number; line: number }>()
  const fillDown = createFillDown(columns, index)
  const isType = TYPE_NAMES.includes(normalizeNameWithoutUnit(columns[index] ?? ''))
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
    isStructured: () => [...found.keys()].some((cell) => /^\[[{[]/.test(cell)),
    isFilled: () => shareOfRows(found, (cell) => cell.trim() !== '') >= 0.5,
    counts,
    reportUnreadable(reading, problems) {
      for (const [cell, { rows, line }] of found) {
        if (!isReadableCategory(cell, reading)) problems.add(line, BEYOND_BOUNDS, { count: rows })
      }
    },
  }
}

/** Counts a row in each column, the preferred ones first. The last is dropped when they hold too much. */
export function countRow(candidates: Candidate[], batch: RecordBatch, record: number): void {
  let characters = 0
  for (const candidate of candidates) {
    candidate.add(batch, record)
    characters += candidate.characters()
  }
  if (characters > MAX_TOTAL_CHARACTERS) candidates.pop()
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
