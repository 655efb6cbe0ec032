import { compareRecords, type RecordCursor } from './part-records'

/** Cursors by their current records, the lowest key first; of equal keys that of the earlier part. */
export interface RecordQueue {
  first(): RecordCursor | undefined
  /** Takes the first one out, so that its record stays as it is. */
  take(): RecordCursor
  /** Puts one back, unless it is at its end. */
  put(cursor: RecordCursor): void
}

/** A heap. @param cursors those that have been filled */
export function createRecordQueue(cursors: readonly RecordCursor[]): RecordQueue {
  const heap: RecordCursor[] = []

  const isBefore = (one: RecordCursor, other: RecordCursor): boolean => {
    if (one.head !== other.head) return one.head < other.head
    const order = compareRecords(one, other)
    return order < 0 || (order === 0 && one.index < other.index)
  }
  function rise(start: number, cursor: RecordCursor): void {
    let place = start
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above] as RecordCursor
      if (!isBefore(cursor, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = cursor
  }
  function sink(cursor: RecordCursor): void {
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      if (below >= heap.length) break
      const right = heap[below + 1]
      if (right && isBefore(right, heap[below] as RecordCursor)) below++
      const child = heap[below] as RecordCursor
      if (!isBefore(child, cursor)) break
      heap[place] = child
      place = below
    }
    heap[place] = cursor
  }

  const queue: RecordQueue = {
    first: () => heap[0],
    take() {
      const first = heap[0] as RecordCursor
      const last = heap.pop() as RecordCursor
      if (heap.length > 0) sink(last)
      return first
    },
    put(cursor) {
      if (cursor.head !== Infinity) rise(heap.length, cursor)
    },
  }
  for (const cursor of cursors) queue.put(cursor)
  return queue
}
