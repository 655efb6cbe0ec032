import type { RowSpan } from '../keys/key-records'
import type { ReadAt } from '../keys/record-reader'

/** Rows with fewer bytes between them are read together. */
const MAX_GAP_BYTES = 4 * 1024
const MAX_READ_BYTES = 256 * 1024

/** Reads rows of a file, without their line ends: those that are near each other at once. */
export async function readRows(
  readAt: ReadAt,
  spans: readonly (RowSpan | null)[],
): Promise<(Buffer | null)[]> {
  const rows: (Buffer | null)[] = spans.map(() => null)
  const places = spans
    .flatMap((span, index) => (span ? [{ ...span, index }] : []))
    .toSorted((one, other) => one.offset - other.offset)
  const reads: Promise<void>[] = []
  for (let first = 0; first < places.length;) {
    const { offset } = places[first] as RowSpan
    let next = first
    let end = offset
    for (; next < places.length; next++) {
      const place = places[next] as RowSpan
      const isNear = place.offset - end <= MAX_GAP_BYTES
      const isShort = place.offset + place.length - offset <= MAX_READ_BYTES
      if (next > first && !(isNear && isShort)) break
      end = place.offset + place.length
    }
    reads.push(readTogether(places.slice(first, next), end - offset))
    first = next
  }
  await Promise.all(reads)
  return rows

  async function readTogether(group: (RowSpan & { index: number })[], length: number) {
    const from = group[0]?.offset ?? 0
    const bytes = Buffer.allocUnsafe(length)
    if ((await readAt(bytes, from)) < length) throw new Error('A row is not in its file')
    for (const place of group) {
      const start = place.offset - from
      rows[place.index] = bytes.subarray(start, start + place.length)
    }
  }
}
