import { type FileHandle } from 'node:fs/promises'

import { RECORD_BYTES, type Records, createRecords } from './key-records'

/** Records read from a file at a time: 64 KB. */
const READ_RECORDS = 2_048

/** Sorted records of a file, one after the other. */
export interface KeyRun {
  records: Records
  /** The place in `records` of the present one; -1 after the last. */
  at(): number
  /** Goes on to the next one; to be awaited if it has to be read. */
  advance(): Promise<void> | undefined
}

/** Opens `count` records of a file from the record `first` on. */
export async function openRun(
  file: FileHandle,
  { first, count }: { first: number; count: number },
): Promise<KeyRun> {
  const records = createRecords(Math.max(1, Math.min(READ_RECORDS, count)))
  const bytes = new Uint8Array(records.words.buffer)
  let consumed = 0
  let loaded = 0
  let at = 0
  async function load(): Promise<void> {
    consumed += loaded
    loaded = Math.min(READ_RECORDS, count - consumed)
    at = loaded > 0 ? 0 : -1
    const length = loaded * RECORD_BYTES
    for (let done = 0; done < length;) {
      const position = (first + consumed) * RECORD_BYTES + done
      const { bytesRead } = await file.read(bytes, done, length - done, position)
      if (bytesRead === 0) throw new Error('A key file is shorter than it should be')
      done += bytesRead
    }
  }
  await load()
  return {
    records,
    at: () => at,
    advance() {
      if (at < 0) return undefined
      at++
      return at < loaded ? undefined : load()
    },
  }
}
