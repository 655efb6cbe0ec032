import { mapLimited } from '../../concurrency/map-limited'
import type { RowSpan } from '../keys/key-records'
import type { ReadAt } from '../keys/record-reader'

/** Rows with fewer bytes between them are read together. */
const MAX_GAP_BYTES = 4 * 1024
const MAX_READ_BYTES = 256 * 1024
/** At a time: whoever reads for another process answers no more requests at once than twice as many. */
const MAX_READS = 8

/** Reads rows of one file, without their line ends; null where there is none. */
export type ReadRows = (
  spans: readonly (RowSpan | null)[],
) => Promise<(Buffer | null)[]> | (Buffer | null)[]

/** Takes rows from a file that is in memory. */
export const rowsInMemory =
  (bytes: Buffer): ReadRows =>
  (spans) =>
    spans.map((span) => span && bytes.subarray(span.offset, span.offset + span.length))

export const rowsOf =
  (readAt: ReadAt): ReadRows =>
  (spans) =>
    readRows(readAt, spans)

/** Reads rows of a file: those that are near each other at once. */
async function readRows(
  readAt: ReadAt,
  spans: readonly (RowSpan | null)[],
): Promise<(Buffer | null)[]> {
  const rows: (Buffer | null)[] = spans.map(() => null)
  const places = spans
    .flatMap((span, index) => (span ? [{ ...span, index }] : []))
    .toSorted((one, other) => one.offset - other.offset)
  const groups: { group: (RowSpan & { index: number })[]; length: number }[] = []
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
    groups.push({ group: places.slice(first, next), length: end - offset })
    first = next
  }
  await mapLimited(groups, MAX_READS, async ({ group, length }) => {
    const from = group[0]?.offset ?? 0
    const bytes = Buffer.allocUnsafe(length)
    if ((await readAt(bytes, from)) < length) throw new Error('A row is not in its file')
    for (const place of group) {
      const start = place.offset - from
      rows[place.index] = bytes.subarray(start, start + place.length)
    }
  })
  return rows
}
