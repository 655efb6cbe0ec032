import { open } from 'node:fs/promises'

import { MAX_CHUNK_BYTES, type RecordBatch } from '../read/scan'
import {
  MAX_SORTED,
  RECORD_BYTES,
  RECORD_WORDS,
  type Records,
  compareKeys,
  copyRecord,
  createRecords,
  sortRecords,
} from './key-records'
import { createRecordWriter } from './key-rows'
import { type KeyRun, openRun } from './key-runs'

/** A piece of a file has at most so many rows. */
const MAX_PIECE_ROWS = MAX_CHUNK_BYTES / 2
/** Records sorted in memory at a time: 8 MB. */
const RUN_RECORDS = MAX_SORTED - MAX_PIECE_ROWS
/** More rows are not compared: their key file would have 512 MB. */
const MAX_ROWS = 16 * 1024 * 1024
/** Records written at a time. */
const WRITE_RECORDS = 2_048

/** A scratch file, as `storage/scratch-file` opens it. */
export interface KeyScratch {
  path: string
  write(chunk: Uint8Array): Promise<void>
  finish(): Promise<{ sha256: string; sizeBytes: number }>
  discard(): Promise<void>
}

export interface KeyCounts {
  /** Different keys. */
  keyCount: number
  /** Rows whose key another row has, too. */
  repeatedKeys: number
  /** Rows without a key. */
  keylessRows: number
}

/** Collects the keys of a canonical file while its rows are read in order. */
export interface KeyCollector {
  /** `offset` is where the row begins in the file. */
  add(batch: RecordBatch, record: number, offset: number): void
  /** To be called after each piece of the file. */
  flush(): Promise<void>
  /** Writes the key file; null when there are too many rows. Of rows with the same key the first counts. */
  finish(output: Pick<KeyScratch, 'write'>): Promise<KeyCounts | null>
  /** Removes the sorted parts. */
  discard(): Promise<void>
}

/** @param openSpill opens a file for sorted parts, which is only needed for large files */
export function createKeyCollector(
  { keyColumn, quantityColumn }: { keyColumn: number; quantityColumn: number },
  openSpill: () => Promise<KeyScratch>,
): KeyCollector {
  const write = createRecordWriter(keyColumn, quantityColumn)
  let records = createRecords(1_024)
  let count = 0
  let rows = 0
  let keylessRows = 0
  let spill: KeyScratch | undefined
  const runs: { first: number; count: number }[] = []

  function grow(): void {
    const larger = createRecords((2 * records.words.length) / RECORD_WORDS)
    larger.words.set(records.words)
    records = larger
  }

  async function spillRun(): Promise<void> {
    spill ??= await openSpill()
    const last = runs.at(-1)
    runs.push({ first: last ? last.first + last.count : 0, count })
    const output = createOutput(spill)
    for (const at of sortRecords(records, count)) {
      output.add(records, at)
      if (output.isFull()) await output.flush()
    }
    await output.flush()
    count = 0
  }

  async function merge(output: RecordOutput): Promise<void> {
    if (!spill) {
      for (const at of sortRecords(records, count)) {
        output.addNew(records, at)
        if (output.isFull()) await output.flush()
      }
      return output.flush()
    }
    if (count > 0) await spillRun()
    await spill.finish()
    await mergeRuns(spill.path, runs, output)
  }

  return {
    add(batch, record, offset) {
      rows++
      if (rows > MAX_ROWS) return
      if (count * RECORD_WORDS === records.words.length) grow()
      if (write(records, count, { batch, record, offset })) count++
      else keylessRows++
    },
    async flush() {
      if (count >= RUN_RECORDS) await spillRun()
    },
    async finish(file) {
      if (rows > MAX_ROWS) return null
      const output = createOutput(file)
      await merge(output)
      const keyCount = output.written()
      return { keyCount, keylessRows, repeatedKeys: rows - keylessRows - keyCount }
    },
    async discard() {
      await spill?.discard()
      spill = undefined
    },
  }
}

type RecordOutput = ReturnType<typeof createOutput>

function createOutput(file: Pick<KeyScratch, 'write'>) {
  const block = createRecords(WRITE_RECORDS)
  const bytes = new Uint8Array(block.words.buffer)
  /** The last record that was added, to recognise the next one with its key. */
  const previous = createRecords(1)
  let length = 0
  let written = 0
  const add = (records: Records, at: number) => {
    copyRecord(records, at, block, length)
    length++
    written++
  }
  return {
    add,
    /** Adds a record unless the one before has the same key. */
    addNew(records: Records, at: number) {
      if (written > 0 && compareKeys(records, at, previous, 0) === 0) return
      copyRecord(records, at, previous, 0)
      add(records, at)
    },
    isFull: () => length === WRITE_RECORDS,
    written: () => written,
    async flush() {
      await file.write(bytes.subarray(0, length * RECORD_BYTES))
      length = 0
    },
  }
}

/** Of records with the same key, that of the earlier run comes first. */
async function mergeRuns(
  path: string,
  places: { first: number; count: number }[],
  output: RecordOutput,
): Promise<void> {
  const file = await open(path)
  try {
    const runs = await Promise.all(places.map((place) => openRun(file, place)))
    for (let least = findLeast(runs); least; least = findLeast(runs)) {
      output.addNew(least.records, least.at())
      if (output.isFull()) await output.flush()
      const reading = least.advance()
      if (reading) await reading
    }
    await output.flush()
  } finally {
    await file.close()
  }
}

function findLeast(runs: KeyRun[]): KeyRun | undefined {
  let least: KeyRun | undefined
  for (const run of runs) {
    if (run.at() < 0) continue
    if (!least || compareKeys(run.records, run.at(), least.records, least.at()) < 0) least = run
  }
  return least
}
