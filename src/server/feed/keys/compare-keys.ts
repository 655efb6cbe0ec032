import { open } from 'node:fs/promises'

import type { Difference, DifferenceKind } from '../../../shared/schemas/difference'
import { createYielder } from '../yield-to-event-loop'
import { RECORD_BYTES, compareKeys, hasSameRow, placeOf, quantityOf } from './key-records'
import { type KeyRun, openRun } from './key-runs'

/** Where a row is in the older file and in the newer one; null where it does not exist. */
export interface ComparedRow {
  older: RowPlace | null
  newer: RowPlace | null
}
export interface RowPlace {
  offset: number
  length: number
}

export interface KeyComparison extends Omit<Difference, 'examples'> {
  /** The first rows of each kind, as many as were asked for. */
  examples: Record<DifferenceKind, ComparedRow[]>
}

export interface CompareOptions {
  examples: number
  signal: AbortSignal
}

/**
 * Compares two key files, given by their paths, in one pass with constant memory. Rows of which only the
 * place has changed are unchanged.
 */
export async function compareKeyFiles(
  older: string,
  newer: string,
  options: CompareOptions,
): Promise<KeyComparison> {
  const files = await Promise.all([open(older), open(newer)])
  try {
    const [a, b] = await Promise.all(
      files.map(async (file) => {
        const { size } = await file.stat()
        return openRun(file, { first: 0, count: size / RECORD_BYTES })
      }),
    )
    if (!a || !b) throw new Error('There are two files')
    return await compareRuns(a, b, options)
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}

async function compareRuns(
  older: KeyRun,
  newer: KeyRun,
  { examples, signal }: CompareOptions,
): Promise<KeyComparison> {
  const comparison = createComparison()
  const yieldToEventLoop = createYielder(signal)
  const { examples: shown } = comparison
  const show = (kind: DifferenceKind, row: () => ComparedRow) => {
    if (shown[kind].length < examples) shown[kind].push(row())
  }
  const olderPlace = () => placeOf(older.records, older.at())
  const newerPlace = () => placeOf(newer.records, newer.at())
  const step = async (run: KeyRun) => {
    const reading = run.advance()
    if (reading) await reading
  }
  while (older.at() >= 0 || newer.at() >= 0) {
    await yieldToEventLoop(RECORD_BYTES)
    const order = compareNext(older, newer)
    if (order < 0) {
      comparison.removed++
      show('removed', () => ({ older: olderPlace(), newer: null }))
    } else if (order > 0) {
      comparison.added++
      show('added', () => ({ older: null, newer: newerPlace() }))
    } else {
      const row = () => ({ older: olderPlace(), newer: newerPlace() })
      for (const kind of countPair(comparison, older, newer)) show(kind, row)
    }
    if (order <= 0) await step(older)
    if (order >= 0) await step(newer)
  }
  return comparison
}

function createComparison(): KeyComparison {
  return {
    added: 0,
    removed: 0,
    changed: 0,
    unchanged: 0,
    quantityUp: 0,
    quantityDown: 0,
    newlyZero: 0,
    examples: { added: [], removed: [], changed: [], newlyZero: [] },
  }
}

/** Which of two runs has the lower key next: negative, positive, or 0 when they have the same one. */
function compareNext(older: KeyRun, newer: KeyRun): number {
  if (older.at() < 0) return 1
  if (newer.at() < 0) return -1
  return compareKeys(older.records, older.at(), newer.records, newer.at())
}

const NOTHING: readonly DifferenceKind[] = []
const CHANGED: readonly DifferenceKind[] = ['changed']
const ZERO: readonly DifferenceKind[] = ['changed', 'newlyZero']

/** Counts two rows with the same key. */
function countPair(
  counts: Omit<Difference, 'examples'>,
  older: KeyRun,
  newer: KeyRun,
): readonly DifferenceKind[] {
  if (hasSameRow(older.records, older.at(), newer.records, newer.at())) {
    counts.unchanged++
    return NOTHING
  }
  counts.changed++
  const before = quantityOf(older.records, older.at())
  const after = quantityOf(newer.records, newer.at())
  // Comparisons with NaN, where there is no quantity, are false.
  if (after > before) counts.quantityUp++
  if (after < before) counts.quantityDown++
  if (!(before > 0 && after <= 0)) return CHANGED
  counts.newlyZero++
  return ZERO
}
