import type { RecordReader } from '../keys/record-reader'
import { ABSENT, isSameState, type HistoryRecord, type ItemState } from './history-records'
import { readGroups } from './record-groups'
import type { RecordWriter } from './record-writer'

interface ChangesOptions {
  /** null: what `items` has is the first state. */
  state: RecordReader | null
  /** Oldest first. */
  changes: readonly RecordReader[]
  /** The items of a version. */
  items: RecordReader
  /** Unix seconds: when that version was published. */
  time: number
  onRead: () => Promise<void>
}

/** Writes what the items of a version have become since a history's last version. */
export async function writeChanges(
  { state, changes, items, time, onRead }: ChangesOptions,
  output: RecordWriter,
): Promise<void> {
  const readers = [...(state ? [state] : []), ...changes, items]
  const last = readers.length - 1
  await readGroups(
    readers,
    ({ high, low, of }) => {
      const [now] = of[last] as HistoryRecord[]
      let before: ItemState = ABSENT
      for (let index = 0; index < last; index++) before = of[index]?.at(-1) ?? before
      if (isSameItem(before, now ?? ABSENT)) return undefined
      output.add({ high, low }, { ...(now ?? ABSENT), time })
      return output.flush()
    },
    onRead,
  )
  await output.end()
}

/** In a state, an item that has left has the time of that in place of its quantity. */
const isSameItem = (one: ItemState, other: ItemState) =>
  one.category === null ? other.category === null : isSameState(one, other)
