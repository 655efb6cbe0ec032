import type { CategoryCount } from '../../../../shared/schemas/file'
import type { RecordBatch } from '../scan/scan'
import { type Candidate, countRow, createCandidate } from './category-candidate'
import { detectSeparators } from './category-separators'
import { createOtherTexts, isNameOfOtherTexts } from './category-words'

/** Finds the category column of a table in which no column is named like one. */
export interface ContentTally {
  add(batch: RecordBatch, record: number): void
  find(): { candidate: Candidate; reason: string } | undefined
}

const MAX_PROBED_COLUMNS = 30
/** After so many rows, only the columns that still look like categories are counted. */
const PROBED_ROWS = 200
const MAX_KEPT_COLUMNS = 6

export function createContentTally(columns: string[]): ContentTally {
  let candidates = columns
    .map((name, index) => ({ name, index }))
    // A reading names its column, so that the name must be the only one.
    .filter(({ name, index }) => name !== '' && columns.indexOf(name) === index)
    .slice(0, MAX_PROBED_COLUMNS)
    .map(({ index }) => createCandidate(columns, index))
  let rows = 0
  return {
    add(batch, record) {
      if (candidates.length === 0) return
      countRow(candidates, batch, record)
      if (++rows === PROBED_ROWS) candidates = keepLikely(candidates)
    },
    find() {
      const usable = candidates.filter((candidate) => candidate.isUsable() && candidate.isFilled())
      const paths = usable.find((candidate) => isPathColumn(filledCells(candidate)))
      if (paths) return { candidate: paths, reason: 'its cells are paths' }
      const texts = usable.filter(
        (candidate) =>
          mayBeNamedCategory(columns[candidate.index] ?? '') &&
          isTextColumn(filledCells(candidate)),
      )
      // Of several columns alike, nobody can tell which one has the categories.
      const [only, other] = texts
      return only && !other ? { candidate: only, reason: 'it repeats a few texts' } : undefined
    },
  }
}

const filledCells = (candidate: Candidate) =>
  candidate.counts().filter(({ cell }) => cell.trim() !== '')

const sumRows = (cells: CategoryCount[]) => cells.reduce((sum, { rows }) => sum + rows, 0)

/** The share of the rows whose cell is of a kind. */
function shareOf(cells: CategoryCount[], isOfKind: (cell: string) => boolean): number {
  return sumRows(cells.filter(({ cell }) => isOfKind(cell))) / Math.max(1, sumRows(cells))
}

const MAX_CELL_LENGTH = 200

/** Columns with paths first, then those with texts that repeat. */
function keepLikely(candidates: Candidate[]): Candidate[] {
  const described = candidates.map((candidate) => ({ candidate, cells: filledCells(candidate) }))
  const paths = described.filter(({ cells }) => shareOf(cells, isPath) > 0.5)
  const texts = described.filter(
    (one) =>
      !paths.includes(one) &&
      shareOf(one.cells, isText) > 0.9 &&
      one.cells.length <= sumRows(one.cells) / 2,
  )
  return [...paths, ...texts].slice(0, MAX_KEPT_COLUMNS).map(({ candidate }) => candidate)
}

/** Neither HTML nor a description. */
const isShortText = (cell: string) => cell.length <= MAX_CELL_LENGTH && !cell.includes('<')

/** A slash is no sign of a path: it stands between sizes, colours and units too. */
const isPath = (cell: string) => isShortText(cell) && /[>»]/.test(cell)

const MIN_PATH_ROWS = 3

/** Whether most rows have a path of a tree with fewer branches than rows. */
function isPathColumn(cells: CategoryCount[]): boolean {
  const rows = sumRows(cells)
  if (rows < MIN_PATH_ROWS || shareOf(cells, isPath) < 0.5) return false
  if (shareOf(cells, isShortText) < 0.95) return false
  const { pathSeparator } = detectSeparators(cells.map(({ cell }) => cell))
  if (pathSeparator === null || pathSeparator === '/') return false
  const roots = new Set(cells.map(({ cell }) => cell.split(pathSeparator, 1)[0]))
  return cells.length <= rows / 1.5 || roots.size <= cells.length / 2
}

const MIN_TEXT_ROWS = 20
const MIN_TEXTS = 4
const MAX_TEXTS = 200

/** Words without digits; one letter may be a word in Chinese only. */
function isText(cell: string): boolean {
  const text = cell.trim()
  return /^\p{L}[\p{L}\p{M}\s&,/'’().+-]{3,59}$/u.test(text) || /^\p{Lo}{2,20}$/u.test(text)
}

/** A column without a name of its own says nothing of what it is not. */
function mayBeNamedCategory(column: string): boolean {
  return !/^column_\d+$/.test(column) && !isNameOfOtherTexts(column)
}

/** Whether a few texts of several words, which are no colours or countries, repeat in nearly all rows. */
function isTextColumn(cells: CategoryCount[]): boolean {
  const rows = sumRows(cells)
  const isRepeated = cells.length >= MIN_TEXTS && cells.length <= Math.min(MAX_TEXTS, rows / 5)
  if (rows < MIN_TEXT_ROWS || !isRepeated || shareOf(cells, isText) < 0.95) return false
  const phrases = cells.filter(({ cell }) => /[\s&,/]/.test(cell.trim()) || /^\p{Lo}/u.test(cell))
  return phrases.length >= 0.3 * cells.length && shareOf(cells, createOtherTexts()) < 0.3
}
