import { CHANGE_KINDS, type ChangeKind } from '../../../shared/constants'
import {
  type ChangedItem,
  type ChangeFilter,
  MAX_CELL_CHARACTERS,
  MAX_ITEM_CELLS,
  MAX_SAME_CELLS,
} from '../../../shared/schemas/comparison'
import { foldText } from '../browse'
import { displayCell } from '../read/scan/display-cell'
import { isSameCell, readCell, type RowCells } from './cell-pairs'
import { type ComparedColumn, type ComparedColumns, isInBoth } from './compared-columns'

const KEY_CHARACTERS = 100

/** What has changed of an item. */
export interface RowChange {
  /** None when only columns differ that one of the files does not have. */
  kinds: ChangeKind[]
  differing: ComparedColumn[]
}

/** @returns null for rows that differ in quotes only, or in spaces around their keys */
export function readChange(cells: RowCells, { others }: ComparedColumns): RowChange | null {
  const differing = others.filter((column) => !isSameCell(column, cells))
  if (!cells.older || !cells.newer) {
    return { kinds: [cells.newer ? 'added' : 'removed'], differing }
  }
  if (differing.length === 0) return null
  const found = new Set<ChangeKind>(differing.filter(isInBoth).map(({ kind }) => kind))
  return { kinds: CHANGE_KINDS.filter((kind) => found.has(kind)), differing }
}

/** Finds what has changed of the items that are wanted; null for others. */
export function createChangeFinder(
  { kind, q }: ChangeFilter,
  columns: ComparedColumns,
): (cells: RowCells) => RowChange | null {
  const wanted = foldText(q.trim())
  return (cells) => {
    if (wanted !== '' && !foldText(readKey(cells, columns)).includes(wanted)) return null
    const change = readChange(cells, columns)
    return kind === undefined || change?.kinds.includes(kind) ? change : null
  }
}

export const readKey = ({ older, newer }: RowCells, { key }: ComparedColumns): string =>
  (newer ? readCell(newer, key.newer) : readCell(older, key.older)).trim()

const RANKS = { quantity: 0, price: 1, other: 2 } as const

/** An item as it is shown: its quantity and its price first, unless all of it is new or gone. */
export function toItem(
  cells: RowCells,
  { kinds, differing }: RowChange,
  columns: ComparedColumns,
): ChangedItem {
  const { older, newer } = cells
  const listed =
    older && newer
      ? differing.toSorted((one, other) => RANKS[one.kind] - RANKS[other.kind])
      : differing
  const cut = (text: string) => displayCell(text, MAX_CELL_CHARACTERS)
  return {
    key: displayCell(readKey(cells, columns), KEY_CHARACTERS),
    kinds,
    cells: listed.slice(0, MAX_ITEM_CELLS).map((column) => ({
      column: column.name,
      before: older && cut(readCell(older, column.older)),
      after: newer && cut(readCell(newer, column.newer)),
    })),
    moreCells: Math.max(0, listed.length - MAX_ITEM_CELLS),
    same: listSame(cells, columns).map(({ name, newer: place }) => ({
      column: name,
      text: cut(readCell(newer, place)),
    })),
  }
}

/** The first columns that have not changed, and say something. */
function listSame(cells: RowCells, { others }: ComparedColumns): ComparedColumn[] {
  if (!cells.older || !cells.newer) return []
  const same: ComparedColumn[] = []
  for (const column of others) {
    if (same.length === MAX_SAME_CELLS) break
    if (readCell(cells.newer, column.newer).trim() === '' || !isSameCell(column, cells)) continue
    same.push(column)
  }
  return same
}
