import { DAY_MS } from '../../../../shared/durations'
import type { HistoryFileRow, NewHistoryFileRow } from '../../../db/schema'

/** What histories of items may take, as a share of a supplier's quota: beside its versions. */
const HISTORY_SHARE = 1 / 8
const MB = 1024 * 1024
/** What is kept of the past. */
const MAX_PAST_BYTES = 300 * MB
/** Files of the past become no larger by being joined, so that the oldest can be dropped. */
const MAX_JOINED_BYTES = 64 * MB
const MAX_PAST_MS = 366 * DAY_MS
/** A look-up reads each of them. */
const MAX_CHANGES_FILES = 8
/** Changes become a part of the state, which is then written anew, when they are a quarter of it. */
const FOLD_SHARE = 1 / 4

/** A stored file of a history, with an id if a row has it. */
export type KeptFile = NewHistoryFileRow & Partial<Pick<HistoryFileRow, 'id'>>
type SizedFile = Pick<KeptFile, 'kind' | 'sizeBytes' | 'records' | 'lastAt'>

export const ofKind = <File extends Pick<KeptFile, 'kind'>>(
  files: readonly File[],
  kind: KeptFile['kind'],
): File[] => files.filter((file) => file.kind === kind)

const sum = <File>(files: readonly File[], sizeOf: (file: File) => number) =>
  files.reduce((total, file) => total + sizeOf(file), 0)

/** What is to be done with files of changes: nothing, joining them, or making them a part of the state. */
export function planChanges(files: readonly SizedFile[]): 'keep' | 'join' | 'fold' {
  const changes = ofKind(files, 'changes')
  if (changes.length <= MAX_CHANGES_FILES) return 'keep'
  const recordsOf = (kind: KeptFile['kind']) => sum(ofKind(files, kind), ({ records }) => records)
  return recordsOf('changes') >= FOLD_SHARE * recordsOf('state') ? 'fold' : 'join'
}

/** The newest files of the past that are to become one: each at most twice as large as all after it. */
export function choosePastToJoin<File extends SizedFile>(files: readonly File[]): File[] {
  const past = ofKind(files, 'past')
  const joined: File[] = []
  for (const file of past.toReversed()) {
    const records = sum(joined, (one) => one.records)
    const bytes = sum(joined, ({ sizeBytes }) => sizeBytes)
    const isFitting = file.records <= 2 * records && file.sizeBytes + bytes <= MAX_JOINED_BYTES
    if (joined.length > 0 && !isFitting) break
    joined.unshift(file)
  }
  return joined.length > 1 ? joined : []
}

/**
 * Chooses what is dropped: what is older than a year, and as much of the past as there is no room for.
 * @returns null when not even what the items are now has room
 */
export function dropOldest<File extends SizedFile>(
  files: readonly File[],
  { quotaBytes, now }: { quotaBytes: number; now: number },
): { kept: File[]; dropped: File[] } | null {
  const present = files.filter(({ kind }) => kind !== 'past')
  const room = quotaBytes * HISTORY_SHARE - sum(present, ({ sizeBytes }) => sizeBytes)
  if (room < 0) return null
  const most = Math.min(room, MAX_PAST_BYTES)
  const kept: File[] = []
  const dropped: File[] = []
  let bytes = 0
  for (const file of ofKind(files, 'past').toReversed()) {
    bytes += file.sizeBytes
    const isKept = dropped.length === 0 && bytes <= most && file.lastAt >= now - MAX_PAST_MS
    ;(isKept ? kept : dropped).unshift(file)
  }
  return { kept: [...present, ...kept], dropped }
}
