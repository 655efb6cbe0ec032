import { takeNumbers } from '../../task-memory'
import type { RecordBatch } from './scan'

/** An empty batch without capacity; call {@link ensureCapacity} before the first chunk. */
export function createBatch(): RecordBatch {
  return {
    bytes: Buffer.alloc(0),
    count: 0,
    starts: new Uint32Array(0),
    ends: new Uint32Array(0),
    lines: new Uint32Array(0),
    firstCells: new Uint32Array(1),
    cellStarts: new Uint32Array(0),
    cellEnds: new Uint32Array(0),
    cellKinds: new Uint8Array(0),
  }
}

/**
 * Makes the arrays of a batch large enough for a chunk, in which each byte ends at most one cell and
 * one record. Keeps the first `openCells` cells, which belong to the incomplete record.
 */
export function ensureCapacity(batch: RecordBatch, chunkBytes: number, openCells: number): void {
  const records = chunkBytes + 2
  if (batch.starts.length < records) {
    batch.starts = takeNumbers(Uint32Array, records)
    batch.ends = takeNumbers(Uint32Array, records)
    batch.lines = takeNumbers(Uint32Array, records)
    batch.firstCells = takeNumbers(Uint32Array, records + 1)
  }
  const cells = chunkBytes + openCells + 2
  if (batch.cellStarts.length < cells) {
    batch.cellStarts = enlarge(batch.cellStarts, takeNumbers(Uint32Array, 2 * cells), openCells)
    batch.cellEnds = enlarge(batch.cellEnds, takeNumbers(Uint32Array, 2 * cells), openCells)
    batch.cellKinds = enlarge(batch.cellKinds, takeNumbers(Uint8Array, 2 * cells), openCells)
  }
}

/**
 * Moves the cells of the incomplete record to the front, when its bytes move forward by `shift`.
 * @returns their number
 */
export function moveOpenCells(batch: RecordBatch, cells: number, shift: number): number {
  const { cellStarts, cellEnds, cellKinds } = batch
  const first = batch.firstCells[batch.count] ?? 0
  const end = first > 0 ? cells : 0
  for (let from = first, to = 0; from < end; from++, to++) {
    cellStarts[to] = (cellStarts[from] ?? 0) - shift
    cellEnds[to] = (cellEnds[from] ?? 0) - shift
    cellKinds[to] = cellKinds[from] ?? 0
  }
  return cells - first
}

function enlarge<T extends Uint32Array | Uint8Array>(from: T, to: T, count: number): T {
  to.set(from.subarray(0, count))
  return to
}
