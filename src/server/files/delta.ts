import { isDeepStrictEqual } from 'node:util'

import { CHANGE_COLUMN } from '../../shared/shop-formats'
import type { KeyDraft } from './keys/key-file'
import { keyOutput, type KeyedOutput } from './keys/key-output'
import { isSameRow, RECORD_BYTES, readSpan, type RowSpan } from './keys/key-records'
import { pairKeys, type PairSink } from './keys/pair-keys'
import { createRecordReader, type ReadAt } from './keys/record-reader'
import type { ScanOptions } from './read/scan/scan'
import { createYielder } from './yield-to-event-loop'

/** With more changes the whole file is sent instead. */
const MAX_CHANGES = 100_000
const BUFFERED_RECORDS = 8 * 1024
const OUTPUT_BYTES = 64 * 1024

/** A retailer's file. */
export interface DeltaSource {
  read: () => AsyncIterable<Uint8Array>
  readAt: ReadAt
}

export interface DeltaOptions {
  delimiter: ScanOptions['delimiter']
  /** Which column of the files has the keys. */
  keyPlace: number
  openDraft: () => Promise<KeyDraft>
  signal: AbortSignal
}

type Change = RowSpan & { kind: 'added' | 'changed' | 'removed' }

/**
 * Writes the rows whose cells differ from those of an older file, each with what has become of it: those of
 * the newer file in its order, then those that are gone.
 * @returns how many; null when the whole file must be sent instead: their headers differ, rows have no
 * keys or the same one, or too many have changed
 */
export async function writeDelta(
  { older, newer }: { older: DeltaSource; newer: DeltaSource },
  options: DeltaOptions,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<number | null> {
  const drafts: KeyDraft[] = []
  const openDraft = async () => {
    const draft = await options.openDraft()
    drafts.push(draft)
    return draft
  }
  try {
    const before = await keyOutput(older.read(), { ...options, openDraft })
    const after = await keyOutput(newer.read(), { ...options, openDraft })
    if (!before?.isUnique || !after?.isUnique) return null
    if (!isDeepStrictEqual(before.names, after.names)) return null
    const changes = await findChanges(before, after, options.signal)
    if (!changes) return null
    await writeChanges({ older, newer }, changes, { ...options, header: after.header, write })
    return changes.length
  } finally {
    await Promise.all(drafts.map((draft) => draft.discard()))
  }
}

/** @returns null for too many */
async function findChanges(
  before: KeyedOutput<KeyDraft>,
  after: KeyedOutput<KeyDraft>,
  signal: AbortSignal,
): Promise<Change[] | null> {
  const yieldToEventLoop = createYielder(signal)
  const toReader = ({ keys, keyCount }: KeyedOutput<KeyDraft>) =>
    createRecordReader(keys.readAt, { start: 0, end: keyCount * RECORD_BYTES }, BUFFERED_RECORDS)
  const found: Record<'newer' | 'older', Change[]> = { newer: [], older: [] }
  let count = 0
  const pair: PairSink['pair'] = (older, newer) => {
    const isSame =
      older && newer && isSameRow(older.block, older.record(), newer.block, newer.record())
    if (isSame || ++count > MAX_CHANGES) return
    const reader = newer ?? older
    if (!reader) return
    const kind = newer ? (older ? 'changed' : 'added') : 'removed'
    const list = newer ? found.newer : found.older
    list.push({ ...readSpan(reader.block, reader.record()), kind })
  }
  await pairKeys(toReader(before), toReader(after), { pair }, () => yieldToEventLoop(OUTPUT_BYTES))
  if (count > MAX_CHANGES) return null
  const byPlace = (one: Change, other: Change) => one.offset - other.offset
  return [...found.newer.toSorted(byPlace), ...found.older.toSorted(byPlace)]
}

async function writeChanges(
  { older, newer }: { older: DeltaSource; newer: DeltaSource },
  changes: Change[],
  {
    header,
    delimiter,
    write,
    signal,
  }: DeltaOptions & { header: string; write: (chunk: Uint8Array) => Promise<void> },
): Promise<void> {
  const yieldToEventLoop = createYielder(signal)
  const [lineEnd = '\n'] = /\r?\n$/.exec(header) ?? []
  const names = header.slice(0, header.endsWith(lineEnd) ? -lineEnd.length : header.length)
  let parts: Buffer[] = [Buffer.from(`${names}${delimiter}${CHANGE_COLUMN}${lineEnd}`)]
  let bytes = 0
  const flush = async () => {
    await write(Buffer.concat(parts))
    parts = []
    bytes = 0
  }
  for (const { offset, length, kind } of changes) {
    const row = Buffer.alloc(length)
    const source = kind === 'removed' ? older : newer
    if ((await source.readAt(row, offset)) < length) throw new Error('A row is not in its file')
    parts.push(row, Buffer.from(`${delimiter}${kind}${lineEnd}`))
    bytes += length
    if (bytes >= OUTPUT_BYTES) await flush()
    await yieldToEventLoop(length)
  }
  await flush()
}
