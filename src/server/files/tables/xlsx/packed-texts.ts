import { takeBuffer, takeNumbers } from '../../task-memory'
import { writeCell } from '../csv-cell'
import { MAX_CELL_CHARACTERS, type WorkbookOptions, workbookTooLarge } from '../workbook'
import { createSpilledBytes, type SpilledBytes } from './spilled-bytes'

/** Texts as cells of a CSV file, one after the other: strings would take many times the memory. */
export interface PackedTexts extends Omit<SpilledBytes, 'add' | 'length'> {
  /** @throws FileError */
  add(text: string): void
  /**
   * @param bytes has the text as it stands in a CSV file
   * @throws FileError
   */
  addBytes(bytes: Uint8Array, start: number, end: number): void
  count(): number
  /** Where a text is among all of them. Valid until the next call. */
  find(index: number): Readonly<{ start: number; end: number }>
}

const MAX_TEXTS = 4 * 1024 * 1024
/** Places are numbers of 32 bits. */
const MAX_PLACE = 2 ** 32 - 1
const TEXTS_PER_LIST = 64 * 1024
/** Of each so many texts, where the first one starts; of all of them the lengths, which take half the memory. */
const GROUP = 32
/** Instead of a length that does not fit into 16 bits, as few are. */
const LONG = 0xffff

export function createPackedTexts({ maxBytes, openScratch }: WorkbookOptions): PackedTexts {
  const { add, ...bytes } = createSpilledBytes(openScratch)
  const mostBytes = Math.min(maxBytes, MAX_PLACE)
  const starts: Uint32Array[] = []
  const lengths: Uint16Array[] = []
  const longLengths = new Map<number, number>()
  const cell = takeBuffer(4 * MAX_CELL_CHARACTERS)
  const place = { start: 0, end: 0 }
  let count = 0

  function addList(): void {
    if (count >= MAX_TEXTS) {
      throw workbookTooLarge(`more than ${MAX_TEXTS.toLocaleString('en')} different texts`)
    }
    starts.push(takeNumbers(Uint32Array, TEXTS_PER_LIST / GROUP))
    lengths.push(takeNumbers(Uint16Array, TEXTS_PER_LIST))
  }

  function addBytes(from: Uint8Array, start: number, end: number): void {
    const length = end - start
    if (bytes.length() + length > mostBytes) throw tooLarge(maxBytes)
    const within = count % TEXTS_PER_LIST
    if (within === 0) addList()
    if (within % GROUP === 0) starts.at(-1)![within / GROUP] = bytes.length()
    lengths.at(-1)![within] = Math.min(length, LONG)
    if (length >= LONG) longLengths.set(count, length)
    count++
    add(from, start, end)
  }

  return {
    ...bytes,
    count: () => count,
    addBytes,
    add(text) {
      addBytes(cell, 0, writeCell(text, cell, 0))
    },
    find(index) {
      const list = Math.floor(index / TEXTS_PER_LIST)
      const within = index % TEXTS_PER_LIST
      place.end = starts[list]![Math.floor(within / GROUP)] as number
      for (let at = index - (within % GROUP); at <= index; at++) {
        const length = lengths[list]![at % TEXTS_PER_LIST] as number
        place.start = place.end
        place.end += length === LONG ? (longLengths.get(at) as number) : length
      }
      return place
    },
  }
}

function tooLarge(maxBytes: number) {
  const megabytes = Math.max(1, Math.floor(maxBytes / 1024 / 1024)).toLocaleString('en')
  return workbookTooLarge(`more than ${megabytes} MB of different texts`)
}
