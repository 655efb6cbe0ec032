import { compareKeys } from './key-records'
import type { RecordReader } from './record-reader'

/** The current records of two key files with the same key, or one of them if only it has that key. */
export interface PairSink {
  pair(older: RecordReader | null, newer: RecordReader | null): void
}

/**
 * Reads two key files once, side by side. Memory is that of the readers' buffers.
 * @param onRead is called whenever a buffer has been read
 */
export async function pairKeys(
  older: RecordReader,
  newer: RecordReader,
  sink: PairSink,
  onRead: () => Promise<void>,
): Promise<void> {
  const next = async (reader: RecordReader) => {
    await reader.fill()
    await onRead()
  }
  await next(older)
  await next(newer)
  while (!older.isAtEnd() || !newer.isAtEnd()) {
    const order = compareCurrent(older, newer)
    sink.pair(order <= 0 ? older : null, order >= 0 ? newer : null)
    if (order <= 0 && older.next()) await next(older)
    if (order >= 0 && newer.next()) await next(newer)
  }
}

function compareCurrent(older: RecordReader, newer: RecordReader): number {
  if (older.isAtEnd()) return 1
  if (newer.isAtEnd()) return -1
  return compareKeys(older.block, older.record(), newer.block, newer.record())
}
