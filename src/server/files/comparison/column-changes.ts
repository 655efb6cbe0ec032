import { CHANGE_KINDS, type ChangeKind } from '../../../shared/constants'
import {
  type ChangeSection,
  type ColumnChanges,
  MAX_COMPARED_ROWS,
  MAX_LISTED_COLUMNS,
  MAX_LISTED_ITEMS,
} from '../../../shared/schemas/comparison'
import { isSameRow, readSpan } from '../keys/key-records'
import type { PairSink } from '../keys/pair-keys'
import type { ReadAt, RecordReader } from '../keys/record-reader'
import { type ChangedRow, createChangedRows } from './changed-rows'
import type { ColumnPair } from './column-pairs'
import { type ColumnNaming, isInBoth, readComparedColumns } from './compared-columns'
import { createPairScanner } from './pair-scanner'
import { readPairedRows } from './paired-rows'
import { rowsOf } from './read-rows'
import { readChange, toItem } from './row-changes'

/** Rows of both files together are read up to here. */
const MAX_BYTES = 64 * 1024 * 1024

/** Some of the rows that two files differ in. */
export interface ChangeSample extends PairSink {
  /** In the order of their files; called once. */
  rows(): { added: ChangedRow[]; removed: ChangedRow[]; changed: Iterable<ChangedRow> }
  /** How many of them have changed, and whether that is all. */
  comparedRows(): number
  isWhole(): boolean
}

/**
 * Collects the new and the gone rows that stand first in their files, and of those that have changed the
 * first ones, which hashes put in a random order.
 */
export function createChangeSample(): ChangeSample {
  const changed = createChangedRows()
  const [added, removed] = [createFirstRows('newer'), createFirstRows('older')]
  let bytes = 0
  let isWhole = true
  return {
    pair(older, newer) {
      if (!older) added.add(newer)
      else if (!newer) removed.add(older)
      else if (!isSameRow(older.block, older.record(), newer.block, newer.record())) {
        bytes += lengthOf(older) + lengthOf(newer)
        isWhole &&= changed.count() < MAX_COMPARED_ROWS && bytes <= MAX_BYTES
        if (isWhole) changed.add(older, newer)
      }
    },
    rows() {
      changed.sort()
      return { added: added.rows, removed: removed.rows, changed: changed.list() }
    },
    comparedRows: changed.count,
    isWhole: () => isWhole,
  }
}

const lengthOf = ({ block, record }: RecordReader) => readSpan(block, record()).length

/** Rows that only one of two files has: those that stand first in it. */
function createFirstRows(side: keyof ChangedRow) {
  const rows: ChangedRow[] = []
  const offsetOf = (row: ChangedRow | undefined) => row?.[side]?.offset ?? Infinity
  return {
    rows,
    add(reader: RecordReader | null) {
      if (!reader) return
      const span = readSpan(reader.block, reader.record())
      if (rows.length === MAX_LISTED_ITEMS && span.offset > offsetOf(rows.at(-1))) return
      rows.push({ older: null, newer: null, [side]: span })
      rows.sort((one, other) => offsetOf(one) - offsetOf(other))
      rows.splice(MAX_LISTED_ITEMS)
    },
  }
}

/** What differs between the cells of two files. */
export interface CellChanges {
  columns: ColumnChanges
  /** New and gone items are counted as far as they are in the sample. */
  sections: ChangeSection[]
}

/** Compares the columns of two files, and the cells of the rows in the sample. */
export async function compareColumns(
  files: Record<keyof ChangedRow, ReadAt>,
  options: { keyColumn: string; naming: ColumnNaming; signal: AbortSignal },
  sample: ChangeSample,
): Promise<CellChanges> {
  const compared = await readComparedColumns(files, options)
  const sources = { older: rowsOf(files.older), newer: rowsOf(files.newer) }
  const scan = createPairScanner()
  const counts = new Map<ColumnPair, number>()
  const sections = new Map<ChangeKind, ChangeSection>(
    CHANGE_KINDS.map((kind) => [kind, { kind, count: 0, items: [] }]),
  )
  for (const rows of Object.values(sample.rows())) {
    for await (const { rows: batch } of readPairedRows(sources, rows, options.signal)) {
      for (const row of batch) {
        const cells = scan(row)
        const change = readChange(cells, compared)
        if (!change) continue
        if (cells.older && cells.newer) {
          for (const column of change.differing) counts.set(column, (counts.get(column) ?? 0) + 1)
        }
        for (const section of change.kinds.flatMap((kind) => sections.get(kind) ?? [])) {
          section.count++
          if (section.items.length === MAX_LISTED_ITEMS) continue
          section.items.push(toItem(cells, change, compared))
        }
      }
    }
  }
  const changed = compared.others
    .filter((column) => isInBoth(column) && counts.has(column))
    .map((column) => ({ name: column.name, rows: counts.get(column) ?? 0 }))
    .toSorted((one, other) => other.rows - one.rows)
  return {
    columns: {
      added: listNames(compared.others.filter(({ older }) => older < 0)),
      removed: listNames(compared.others.filter(({ newer }) => newer < 0)),
      changed: changed.slice(0, MAX_LISTED_COLUMNS),
      comparedRows: sample.comparedRows(),
      isWhole: sample.isWhole(),
    },
    sections: [...sections.values()],
  }
}

const listNames = (columns: ColumnPair[]) =>
  [...new Set(columns.map(({ name }) => name))].slice(0, MAX_LISTED_COLUMNS)
