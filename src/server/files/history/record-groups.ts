import { approximateKey, compareKeys, RECORD_WORDS } from '../keys/key-records'
import type { RecordReader } from '../keys/record-reader'
import { readHistoryRecord, type HistoryRecord } from './history-records'

/** The records of one item, in the order of their files, and within a file in their own. */
export interface RecordGroup {
  /** The hash of its key. */
  high: number
  low: number
  /** For each file: its records of the item. */
  of: HistoryRecord[][]
}

/**
 * Reads sorted files side by side, item by item. Memory is that of the readers' buffers and of one item.
 * @param onGroup gets a group that is valid until it returns; what it returns is awaited
 * @param onRead is called whenever a buffer has been read
 */
export async function readGroups(
  readers: readonly RecordReader[],
  onGroup: (group: RecordGroup) => Promise<void> | undefined,
  onRead: () => Promise<void>,
): Promise<void> {
  const heads = new Float64Array(readers.length)
  const group: RecordGroup = { high: 0, low: 0, of: readers.map(() => []) }
  const note = (index: number) => {
    const reader = readers[index] as RecordReader
    heads[index] = reader.isAtEnd() ? Infinity : approximateKey(reader.block, reader.record())
  }
  const fill = async (index: number) => {
    await readers[index]?.fill()
    await onRead()
    note(index)
  }
  for (let index = 0; index < readers.length; index++) await fill(index)
  for (;;) {
    const first = findFirst(readers, heads)
    if (!first) return
    const at = first.record() * RECORD_WORDS
    group.high = first.block.words[at] as number
    group.low = first.block.words[at + 1] as number
    for (let index = 0; index < readers.length; index++) {
      const reader = readers[index] as RecordReader
      const records = group.of[index] as HistoryRecord[]
      records.length = 0
      while (isOf(reader, group)) {
        records.push(readHistoryRecord(reader.block, reader.record()))
        if (reader.next()) await fill(index)
        else note(index)
      }
    }
    const pending = onGroup(group)
    if (pending) await pending
  }
}

/** The reader whose current record is the first by the whole hash; undefined when all have been read. */
function findFirst(
  readers: readonly RecordReader[],
  heads: Float64Array,
): RecordReader | undefined {
  let lowest = Infinity
  let first: RecordReader | undefined
  for (let index = 0; index < readers.length; index++) {
    const head = heads[index] as number
    if (head === Infinity || head > lowest) continue
    const reader = readers[index] as RecordReader
    const isBefore =
      !first ||
      head < lowest ||
      compareKeys(reader.block, reader.record(), first.block, first.record()) < 0
    if (!isBefore) continue
    lowest = head
    first = reader
  }
  return first
}

function isOf(reader: RecordReader, { high, low }: RecordGroup): boolean {
  if (reader.isAtEnd()) return false
  const at = reader.record() * RECORD_WORDS
  return reader.block.words[at] === high && reader.block.words[at + 1] === low
}
