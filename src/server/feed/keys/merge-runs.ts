import type { DistinctRecords } from './distinct-records'
import { compareKeys } from './key-records'
import { createRecordReader, type ReadAt, type RecordReader } from './record-reader'

/** All buffers together, 4 MB; each has at least some records. */
const BUFFERED_RECORDS = 128 * 1024
const MIN_BUFFERED = 32

export interface MergeOptions {
  /** The ranges of sorted runs, in the order in which they were written. */
  runs: { start: number; end: number }[]
  readAt: ReadAt
  /** Called after each filling of a buffer, with the records merged so far. */
  onProgress: (records: number) => Promise<void>
}

/** Merges sorted runs. Of records with the same key the one that was written first comes first. */
export async function mergeRuns(
  { runs, readAt, onProgress }: MergeOptions,
  output: DistinctRecords,
): Promise<void> {
  const buffered = Math.max(MIN_BUFFERED, Math.floor(BUFFERED_RECORDS / runs.length))
  const readers = runs.map((range) => createRecordReader(readAt, range, buffered))
  const heap = createHeap(readers)
  for (const reader of readers) await reader.fill()
  heap.build()
  let merged = 0
  for (let first = heap.first(); first; first = heap.first()) {
    output.add(first.block, first.record())
    merged++
    if (output.isFull()) await output.flush()
    if (first.next()) {
      await first.fill()
      await onProgress(merged)
    }
    heap.sink()
  }
  await output.flush()
}

/** A binary heap with the reader of the lowest key at its top. */
function createHeap(readers: RecordReader[]) {
  const heap = readers.map((_, index) => index)
  const readerAt = (place: number) => readers[heap[place] as number] as RecordReader

  function isBefore(place: number, other: number): boolean {
    const [one, two] = [readerAt(place), readerAt(other)]
    if (one.isAtEnd() || two.isAtEnd()) return !one.isAtEnd()
    const order = compareKeys(one.block, one.record(), two.block, two.record())
    return order < 0 || (order === 0 && (heap[place] as number) < (heap[other] as number))
  }
  function sink(from: number): void {
    for (let place = from; ;) {
      let lowest = place
      for (const child of [2 * place + 1, 2 * place + 2]) {
        if (child < heap.length && isBefore(child, lowest)) lowest = child
      }
      if (lowest === place) return
      ;[heap[place], heap[lowest]] = [heap[lowest] as number, heap[place] as number]
      place = lowest
    }
  }
  return {
    build() {
      for (let place = heap.length >> 1; place >= 0; place--) sink(place)
    },
    first() {
      const reader = readerAt(0)
      return reader.isAtEnd() ? undefined : reader
    },
    /** Must be called when the first reader has moved. */
    sink: () => sink(0),
  }
}
