import type { RecordReader } from '../keys/record-reader'
import { ABSENT, isSameState, type HistoryRecord, type ItemState } from './history-records'
import { readGroups } from './record-groups'
import type { RecordWriter } from './record-writer'

const DAY_SECONDS = 24 * 60 * 60

interface FoldOptions {
  state: RecordReader
  /** Oldest first. */
  changes: readonly RecordReader[]
  /** Unix seconds: items that left before are forgotten. */
  forgetBefore: number
  onRead: () => Promise<void>
}

/** Writes the state that changes have led to, and what was before each of them. */
export async function foldHistory(
  { state, changes, forgetBefore, onRead }: FoldOptions,
  output: { state: RecordWriter; past: RecordWriter },
): Promise<void> {
  await readGroups(
    [state, ...changes],
    (group) => {
      const [known] = group.of[0] as HistoryRecord[]
      let last: HistoryRecord | undefined = known && toState(known)
      let firstSeen = known?.time
      let leftAt = known && known.category === null ? (known.quantity ?? 0) : 0
      for (let index = 1; index < group.of.length; index++) {
        for (const change of group.of[index] as HistoryRecord[]) {
          output.past.add(group, { ...(last ?? ABSENT), time: change.time })
          if (change.category === null) leftAt = change.time
          else firstSeen ??= change.time
          last = change
        }
      }
      if (last && firstSeen !== undefined) {
        const isGone = last.category === null
        if (!isGone) output.state.add(group, { ...last, time: firstSeen })
        else if (leftAt >= forgetBefore) {
          output.state.add(group, { ...ABSENT, quantity: leftAt, time: firstSeen })
        }
      }
      return output.past.flush() ?? output.state.flush()
    },
    onRead,
  )
  await output.state.end()
  await output.past.end()
}

const toState = (record: HistoryRecord): HistoryRecord =>
  record.category === null ? { ...ABSENT, time: record.time } : record

interface JoinOptions {
  /** Of one kind, `changes` or `past`, oldest first. */
  files: readonly RecordReader[]
  /** Unix seconds: of the past before, one value a day is kept; null: all. */
  thinBefore: number | null
  onRead: () => Promise<void>
}

/** Writes one file in place of several. */
export async function joinHistory(
  { files, thinBefore, onRead }: JoinOptions,
  output: RecordWriter,
): Promise<void> {
  await readGroups(
    files,
    (group) => {
      const records = group.of.flat()
      const kept = thinBefore === null ? records : thinPast(records, thinBefore)
      for (const record of kept) output.add(group, record)
      return output.flush()
    },
    onRead,
  )
  await output.end()
}

/**
 * Leaves out what was not there at the end of a day of UTC: of the changes of a day only the first is kept, before which
 * the item was what it had been at the end of the day before.
 */
function thinPast(records: readonly HistoryRecord[], thinBefore: number): HistoryRecord[] {
  const ofDays = records.filter(({ time }, index) => {
    const before = records[index - 1]
    return time >= thinBefore || !before || dayOf(before.time) !== dayOf(time)
  })
  return ofDays.filter((record, index) => {
    const next: ItemState | undefined = ofDays[index + 1]
    return record.time >= thinBefore || !next || !isSameState(record, next)
  })
}

export const dayOf = (time: number): number => Math.floor(time / DAY_SECONDS)
