import type { ChangeKind } from '../../../shared/constants'
import { type KeyedFile, readPairs } from '../keys/compare-files'
import type { PairSink } from '../keys/pair-keys'
import { type ChangedRow, type ChangedRows, createChangedRows } from './changed-rows'

/**
 * Collects the rows that two files differ in, in the order of the newer one, and then those that are gone.
 * @param kind leaves out those that cannot have this kind of change
 */
export async function collectChangedRows(
  files: Record<keyof ChangedRow, KeyedFile>,
  kind: ChangeKind | undefined,
  signal: AbortSignal,
): Promise<ChangedRows> {
  const rows = createChangedRows()
  const pair: PairSink['pair'] = (older, newer) => {
    if (kind === undefined || mayHave(kind, older !== null, newer !== null)) rows.pair(older, newer)
  }
  await readPairs(files, { pair }, signal)
  rows.sort()
  return rows
}

function mayHave(kind: ChangeKind, isInOlder: boolean, isInNewer: boolean): boolean {
  if (kind === 'added') return !isInOlder
  return kind === 'removed' ? !isInNewer : isInOlder && isInNewer
}
