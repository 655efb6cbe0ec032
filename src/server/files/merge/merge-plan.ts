import { foldName } from '../../../shared/categories'
import { formatCountOf } from '../../../shared/format'
import type { LoneRows } from '../../../shared/schemas/overlay'
import type { Removal } from '../../../shared/schemas/updates'
import { pairColumns } from '../comparison/column-pairs'
import { FileError, type FileErrorCode } from '../file-error'
import { displayNames } from '../keys/stored-rows'
import { findColumn } from '../read/categories/category-column'
import { fillsDown } from '../read/categories/fill-down'
import { textInsteadOfTable } from '../read/dialect/sniff'
import { listNames } from '../tables/names'

/** The columns of a file that is merged, by its header, and whether that is a part of the file. */
export interface MergedColumns {
  header: string[]
  hasHeader: boolean
}

interface MergeChoices {
  /** The column of the base by which rows are found. */
  keyColumn: string
  removal: Removal | null
  /** The column of the base that has the categories; null without one. */
  categoryColumn: string | null
}

/** Which cells of an update take the place of which. */
export interface MergePlan {
  /** For each column of the merged file its place in the update; -1 where the update has none. */
  places: number[]
  /** The last columns of the merged file, which the base does not have, as the update calls them. */
  added: string[]
  /** What becomes of rows that only one of them has. */
  lone: { base: LoneRows; update: LoneRows }
  /** The place of the key in the base and in the update. */
  key: { base: number; update: number }
  /** By which cell of the update a row of the base is removed; null for none. */
  removal: { place: number; value: string } | null
  /** The column of the base in which an empty cell of the update says nothing; -1 for none. */
  filledDown: number
  /** Columns of the base that the update lacks, and the other way round. */
  lacking: string[]
  ignored: string[]
}

/** An update has no columns of its own, and what it does not have stays. */
const NOTHING_ADDED: Pick<MergePlan, 'added' | 'lone'> = {
  added: [],
  lone: { base: 'keep', update: 'keep' },
}

/**
 * Plans how the rows of an update are merged onto a base.
 * @throws FileError `update-columns` when its columns do not show where its cells belong
 */
export function planMerge(
  base: MergedColumns,
  update: MergedColumns,
  { keyColumn, removal, categoryColumn }: MergeChoices,
): MergePlan {
  const names = { base: displayNames(base.header), update: displayNames(update.header) }
  if (findColumn(names.update, keyColumn) < 0) throw withoutKey(names.update, keyColumn)
  if (!base.hasHeader || !update.hasHeader) requireSameWidth(base, update, removal)
  const words = {
    code: 'update-columns',
    base: 'The published file',
    update: 'the update',
  } as const
  requireSameRepeats(names, words)
  const { key, others } = pairColumns(base.header, update.header, keyColumn)
  const places = names.base.map(() => -1)
  places[key.older] = key.newer
  const removalPlace = findRemoval(names.update, removal)
  for (const { name, older, newer } of others) {
    if (older >= 0 && name !== '' && newer !== removalPlace) places[older] = newer
  }
  const isMerged = new Set(places).add(removalPlace)
  const categories = categoryColumn === null ? -1 : findColumn(names.base, categoryColumn)
  return {
    places,
    ...NOTHING_ADDED,
    key: { base: key.older, update: key.newer },
    removal: removal && { place: removalPlace, value: foldName(removal.value) },
    filledDown: categories >= 0 && fillsDown(names.base, categories) ? categories : -1,
    lacking: names.base.filter((_, place) => places[place] === -1),
    ignored: names.update.filter((_, place) => !isMerged.has(place)),
  }
}

/**
 * Plans how a full file is written without the rows and the column by which updates remove items.
 * @returns what is left of its header; null if it does not have that column
 */
export function planFull(
  { header, hasHeader }: MergedColumns,
  keyColumn: string,
  removal: Removal,
): { plan: MergePlan; header: string[] } | null {
  const names = displayNames(header)
  const place = hasHeader ? findColumn(names, removal.column) : -1
  if (place < 0) return null
  const places = names.map((_, column) => column).filter((column) => column !== place)
  const key = findColumn(names, keyColumn)
  const plan = {
    places,
    ...NOTHING_ADDED,
    key: { base: places.indexOf(key), update: key },
    removal: { place, value: foldName(removal.value) },
    filledDown: -1,
    lacking: [],
    ignored: [],
  }
  return { plan, header: places.map((column) => header[column] ?? '') }
}

/** Without the column, what is to be removed would stay. */
function findRemoval(names: string[], removal: Removal | null): number {
  if (!removal) return -1
  const place = findColumn(names, removal.column)
  if (place >= 0) return place
  throw new FileError(
    'update-columns',
    `The update lacks the column “${removal.column}”, by which it says what is removed. It has ${listNames(names)}.`,
  )
}

function withoutKey(names: string[], keyColumn: string): FileError {
  if (names.length === 1) return textInsteadOfTable(names)
  return new FileError(
    'update-columns',
    `The update lacks the column “${keyColumn}”, by which its items are found in the published file. It has ${listNames(names)}.`,
  )
}

/** Columns without names are known by their places. */
function requireSameWidth(base: MergedColumns, update: MergedColumns, removal: Removal | null) {
  if (removal) {
    throw new FileError(
      'update-columns',
      `A file without a header cannot say what is removed: no column is called “${removal.column}”.`,
    )
  }
  const [expected, found] = [base.header.length, update.header.length]
  if (expected === found) return
  throw new FileError(
    'update-columns',
    `An update without a header must have the columns of the published file, and all of them: it has ${found} instead of ${expected}.`,
  )
}

/** Of two columns with one name, nobody can tell which one a single column of the update means. */
export function requireSameRepeats(
  { base, update }: { base: string[]; update: string[] },
  words: { code: FileErrorCode; base: string; update: string },
): void {
  const [before, after] = [countNames(base), countNames(update)]
  for (const [name, count] of after) {
    const known = before.get(name)
    if (name === '' || known === undefined || known === count) continue
    throw new FileError(
      words.code,
      `${words.base} has ${formatCountOf(known, 'column')} “${name}”, and ${words.update} ${count}: it is not clear which is which.`,
    )
  }
}

function countNames(names: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of names.map(foldName)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
