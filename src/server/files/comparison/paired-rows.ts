import { createYielder } from '../yield-to-event-loop'
import type { ChangedRow } from './changed-rows'
import type { ReadRows } from './read-rows'

/** Rows that are read at a time, as far as they have fewer bytes than this. */
const BATCH_ROWS = 1_024
const BATCH_BYTES = 1024 * 1024

/** The bytes of a row in two files, without its line end; null for the file that does not have it. */
export type RowBytes = Record<keyof ChangedRow, Buffer | null>

/** Reads all rows, a number of them at a time, with their places. */
export async function* readPairedRows(
  { older, newer }: Record<keyof ChangedRow, ReadRows>,
  rows: Iterable<ChangedRow>,
  signal: AbortSignal,
): AsyncGenerator<{ places: ChangedRow[]; rows: RowBytes[] }> {
  const yieldToEventLoop = createYielder(signal)
  for (const { batch, bytes } of takeBatches(rows)) {
    const [before, after] = await Promise.all([
      older(batch.map((row) => row.older)),
      newer(batch.map((row) => row.newer)),
    ])
    const read = batch.map((_, row) => ({ older: before[row] ?? null, newer: after[row] ?? null }))
    yield { places: batch, rows: read }
    await yieldToEventLoop(bytes)
  }
}

function* takeBatches(
  rows: Iterable<ChangedRow>,
): Generator<{ batch: ChangedRow[]; bytes: number }> {
  let batch: ChangedRow[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row)
    bytes += (row.older?.length ?? 0) + (row.newer?.length ?? 0)
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue
    yield { batch, bytes }
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield { batch, bytes }
}
