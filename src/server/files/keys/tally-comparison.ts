import {
  type Comparison,
  type ComparisonKind,
  MAX_EXAMPLES,
} from '../../../shared/schemas/comparison'
import { isSameRow, readQuantityOf, readSpan, type RowSpan } from './key-records'
import type { PairSink } from './pair-keys'
import type { RecordReader } from './record-reader'

/** A row that two files differ in, and where its key is to be read: in the newer file if it is there. */
export interface FoundExample {
  kind: ComparisonKind
  before: number | null
  after: number | null
  row: RowSpan & { isNewer: boolean }
}

type ComparisonCounts = Omit<Comparison, 'keyColumn' | 'examples'>

/** Counts what differs, with the first examples of each kind, which hashes put in a random order. */
export interface ComparisonTally extends PairSink {
  result(): { counts: ComparisonCounts; examples: FoundExample[] }
}

/** @param hasQuantities whether the quantities of the two files are those of the same column */
export function createComparisonTally(hasQuantities: boolean): ComparisonTally {
  const counts: ComparisonCounts = {
    before: 0,
    after: 0,
    added: 0,
    removed: 0,
    changed: 0,
    unchanged: 0,
    quantityUp: 0,
    quantityDown: 0,
    newlyZero: 0,
  }
  const examples = new Map<ComparisonKind, FoundExample[]>()
  const quantityOf = (reader: RecordReader | null) =>
    hasQuantities && reader ? readQuantityOf(reader.block, reader.record()) : null

  function count(older: RecordReader | null, newer: RecordReader | null): ComparisonKind | null {
    if (older) counts.before++
    if (newer) counts.after++
    if (!older || !newer) {
      const kind = older ? 'removed' : 'added'
      counts[kind]++
      return kind
    }
    if (isSameRow(older.block, older.record(), newer.block, newer.record())) {
      counts.unchanged++
      return null
    }
    counts.changed++
    return countQuantity(quantityOf(older), quantityOf(newer))
  }
  function countQuantity(before: number | null, after: number | null): ComparisonKind {
    if (before === null || after === null || before === after) return 'changed'
    if (after > before) {
      counts.quantityUp++
      return 'up'
    }
    counts.quantityDown++
    if (after > 0 || before <= 0) return 'down'
    counts.newlyZero++
    return 'zero'
  }
  return {
    pair(older, newer) {
      const kind = count(older, newer)
      const reader = newer ?? older
      if (kind === null || !reader) return
      const known = examples.get(kind) ?? []
      if (known.length >= MAX_EXAMPLES) return
      const row = { ...readSpan(reader.block, reader.record()), isNewer: newer !== null }
      known.push({ kind, before: quantityOf(older), after: quantityOf(newer), row })
      examples.set(kind, known)
    },
    result: () => ({ counts, examples: [...examples.values()].flat() }),
  }
}
