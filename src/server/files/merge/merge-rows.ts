import { foldName } from '../../../shared/categories'
import type { ByteOutput } from '../byte-output'
import { isSameCell } from '../comparison/cell-pairs'
import type { RowBytes } from '../comparison/paired-rows'
import { FileError } from '../file-error'
import { createKeyReader } from '../keys/key-cell'
import { createRowScanner } from '../keys/stored-rows'
import { cellCount, cellStart, cellText, type RecordBatch } from '../read/scan/scan'
import type { MergePlan } from './merge-plan'

/**
 * What becomes of a row of the base. unmatched: the update does not have it. absent: the update removes what the
 * base does not have.
 */
export type MergeOutcome = 'same' | 'changed' | 'unmatched' | 'added' | 'removed' | 'absent'

/** Merges rows of an update onto those of a base, one at a time. */
export interface RowMerger {
  /** @param row `older` is that of the update, `newer` that of the base */
  judge(row: RowBytes): MergeOutcome
  /** Writes the row that was judged last, without a line end. */
  write(output: ByteOutput): void
  /** Whether that row, which is new, leaves its category to be filled down. */
  lacksCategory(): boolean
}

const COMMA = Buffer.from(',')
/** White space of any length says nothing. */
const BLANK_CHARACTERS = 100

export function createRowMerger({ places, key, removal, filledDown }: MergePlan): RowMerger {
  const scanBase = createRowScanner()
  const scanUpdate = createRowScanner()
  const readBaseKey = createKeyReader(key.base)
  const readUpdateKey = createKeyReader(key.update)
  let base: RecordBatch | null = null
  let update: RecordBatch | null = null

  const pairs = places.map((newer, older) => ({ name: '', older, newer }))
  const isBlank = (batch: RecordBatch, place: number) =>
    cellStart(batch, 0, place, BLANK_CHARACTERS).trim() === ''

  /** Whether a cell of the update takes the place of that of the base. */
  function replaces(column: number, place: number): boolean {
    if (!update || place < 0 || column === key.base) return false
    if (!base) return true
    const pair = pairs[column]
    if (pair && isSameCell(pair, { older: base, newer: update })) return false
    return column !== filledDown || !isBlank(update, place)
  }

  return {
    judge({ older, newer }) {
      update = older && scanUpdate(older)
      base = newer && scanBase(newer)
      if (!update) return 'unmatched'
      if (base && !isSameKey(readBaseKey(base, 0), readUpdateKey(update, 0))) throw sameHash()
      const isRemoved = removal && foldName(cellText(update, 0, removal.place)) === removal.value
      if (isRemoved) return base ? 'removed' : 'absent'
      if (!base) return 'added'
      return places.some((place, column) => replaces(column, place)) ? 'changed' : 'same'
    },
    write(output) {
      for (let column = 0; column < places.length; column++) {
        const place = places[column] as number
        if (column > 0) output.add(COMMA, 0, 1)
        // A new row has the key of the update.
        if (update && (replaces(column, place) || !base)) addCell(output, update, place)
        else if (base) addCell(output, base, column)
      }
    },
    lacksCategory() {
      const place = places[filledDown]
      return update !== null && place !== undefined && (place < 0 || isBlank(update, place))
    },
  }
}

/** Copies a cell with its quotes; nothing where there is none. */
function addCell(output: ByteOutput, batch: RecordBatch, place: number): void {
  if (place < 0 || place >= cellCount(batch, 0)) return
  const cell = (batch.firstCells[0] as number) + place
  const quotes = batch.cellKinds[cell] === 0 ? 0 : 1
  const start = (batch.cellStarts[cell] as number) - quotes
  output.add(batch.bytes, start, (batch.cellEnds[cell] as number) + quotes)
}

type Key = { bytes: Buffer; start: number; end: number }

const isSameKey = (one: Key, other: Key) =>
  one.bytes.compare(other.bytes, other.start, other.end, one.start, one.end) === 0

/** One of thirty million files of a million rows has such keys. */
const sameHash = () =>
  new FileError('update-keys', 'Two keys of the file cannot be told apart. Send a full file.')
