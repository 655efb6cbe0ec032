import type { DistinctRecords } from './distinct-records'
import { approximateKey, compareKeys } from './key-records'
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
  for (const reader of readers) await reader.fill()
  const tournament = createTournament(readers)
  tournament.start()
  let merged = 0
  for (let first = tournament.first(); first; first = tournament.first()) {
    output.add(first.block, first.record())
    merged++
    if (output.isFull()) await output.flush()
    if (first.next()) {
      await first.fill()
      await onProgress(merged)
    }
    tournament.replay()
  }
  await output.end()
}

/** Tells which reader has the lowest key: a tree in which each node has the one that lost there. */
function createTournament(readers: RecordReader[]) {
  const size = readers.length
  const heads = new Float64Array(size)
  const losers = new Int32Array(size)
  let winner = 0

  const note = (index: number) => {
    const reader = readers[index] as RecordReader
    heads[index] = reader.isAtEnd() ? Infinity : approximateKey(reader.block, reader.record())
  }
  function compareHeads(one: number, other: number): number {
    const reader = readers[one] as RecordReader
    const otherReader = readers[other] as RecordReader
    return compareKeys(reader.block, reader.record(), otherReader.block, otherReader.record())
  }
  /** Of the same key, the one of an earlier run comes first. */
  function isBefore(one: number, other: number): boolean {
    const key = heads[one] as number
    const otherKey = heads[other] as number
    if (key !== otherKey) return key < otherKey
    const order = key === Infinity ? 0 : compareHeads(one, other)
    return order < 0 || (order === 0 && one < other)
  }
  /** The winner among the leaves below a node; leaves follow the nodes. */
  function play(node: number): number {
    if (node >= size) return node - size
    const left = play(2 * node)
    const right = play(2 * node + 1)
    const isLeft = isBefore(left, right)
    losers[node] = isLeft ? right : left
    return isLeft ? left : right
  }
  return {
    start() {
      for (let index = 0; index < size; index++) note(index)
      winner = play(1)
    },
    first() {
      const reader = readers[winner] as RecordReader
      return heads[winner] === Infinity ? undefined : reader
    },
    /** Must be called when the first reader has moved. */
    replay() {
      note(winner)
      for (let node = (winner + size) >> 1; node > 0; node >>= 1) {
        const loser = losers[node] as number
        if (!isBefore(loser, winner)) continue
        losers[node] = winner
        winner = loser
      }
    },
  }
}
