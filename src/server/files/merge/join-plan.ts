import { foldName } from '../../../shared/categories'
import type { JoinChoices } from '../../../shared/schemas/overlay'
import { pairColumns } from '../comparison/column-pairs'
import { FileError } from '../file-error'
import { displayNames } from '../keys/stored-rows'
import { findColumn } from '../read/categories/category-column'
import { listNames } from '../tables/names'
import { type MergePlan, requireSameRepeats } from './merge-plan'

/** The header of a file that is joined, and its column of keys. */
export interface JoinedColumns {
  header: string[]
  keyColumn: string
}

/**
 * Plans how the rows of an overlay are joined to those of a file: its columns replace those of the same name, and all
 * others come after those of the file, but for columns without a name.
 * @throws FileError `join-columns` when its columns do not show where its cells belong
 */
export function planJoin(
  file: JoinedColumns,
  overlay: JoinedColumns,
  { onlyInFile, onlyInOverlay }: JoinChoices,
): MergePlan {
  const { keyColumn } = file
  const own = displayNames(file.header)
  const others = displayNames(overlay.header)
  const isSameKey = foldName(keyColumn) === foldName(overlay.keyColumn)
  // A column that the file has besides its keys may mean something else.
  if (!isSameKey && findColumn(own, overlay.keyColumn) >= 0) throw withoutKey(keyColumn, others)
  // The keys may be called otherwise: they are one column.
  const renamed = overlay.header.with(findColumn(others, overlay.keyColumn), keyColumn)
  requireSameRepeats({ base: own, update: displayNames(renamed) }, WORDS)
  const pairs = pairColumns(file.header, renamed, keyColumn)
  const places = own.map(() => -1)
  places[pairs.key.older] = pairs.key.newer
  const added: number[] = []
  for (const { name, older, newer } of pairs.others) {
    if (name === '' || newer < 0) continue
    if (older >= 0) places[older] = newer
    else added.push(newer)
  }
  return {
    places: [...places, ...added],
    added: added.map((place) => overlay.header[place] ?? ''),
    lone: { base: onlyInFile, update: onlyInOverlay },
    key: { base: pairs.key.older, update: pairs.key.newer },
    removal: null,
    filledDown: -1,
    lacking: [],
    ignored: [],
  }
}

const WORDS = {
  code: 'join-columns',
  base: 'The file at the first',
  update: 'this one',
} as const

/** For an overlay in whose columns the keys of the file are not found. */
export const withoutKey = (keyColumn: string, columns: string[]) =>
  new FileError(
    'join-columns',
    `The file lacks the column “${keyColumn}”, by which its rows are joined to those of the first address. It has ${listNames(columns)}.`,
  )
