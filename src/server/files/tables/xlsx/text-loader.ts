import { MAX_CELL_CHARACTERS } from '../workbook'
import type { PackedTexts } from './packed-texts'

/** Finds the texts that cells share. Those in the file are read in the order of their places. */
export interface TextLoader {
  /**
   * Reads the texts of cells, of as many as there is room for.
   * @param indexOf the number of a cell's text; below 0 for none
   * @returns the first cell that is left
   */
  load(indexOf: (cell: number) => number, from: number, to: number): Promise<number>
  /** The text with this number, of a cell that was loaded. Valid until the next call. */
  find(cell: number, index: number): Readonly<FoundText>
}

interface FoundText {
  bytes: Buffer
  start: number
  end: number
}

const MAX_CELLS = 64 * 1024
const LOADED_BYTES = 4 * 1024 * 1024
/**
 * Texts that are near each other are read at once, because a request takes as much time as this many bytes. With more
 * of them, more bytes would lie about until they are collected, which happens after so many requests.
 */
const RANGE_BYTES = 32 * 1024
/** A single text may be longer. */
const MAX_TEXT_BYTES = 4 * MAX_CELL_CHARACTERS

export function createTextLoader(texts: PackedTexts): TextLoader {
  let memory: ReturnType<typeof allocate> | undefined
  let firstCell = 0
  const found: FoundText = { bytes: texts.memory, start: 0, end: 0 }

  /** The cells that have a text in the file, each behind the place of its text: sorted, they are in that order. */
  function listCells(
    list: Float64Array,
    indexOf: (cell: number) => number,
    to: number,
  ): { count: number; next: number } {
    let count = 0
    let bytes = 0
    let cell = firstCell
    for (; cell < Math.min(to, firstCell + MAX_CELLS); cell++) {
      const index = indexOf(cell)
      if (index < 0) continue
      const { start, end } = texts.find(index)
      if (end <= texts.keptBytes()) continue
      bytes += end - start
      if (bytes > LOADED_BYTES) break
      list[count++] = start * MAX_CELLS + cell - firstCell
    }
    return { count, next: cell }
  }

  return {
    async load(indexOf, from, to) {
      if (!texts.isSpilled()) return to
      memory ??= allocate()
      firstCell = from
      const { list, starts, bytes, range } = memory
      const { count, next } = listCells(list, indexOf, to)
      list.subarray(0, count).sort()
      const cellAt = (place: number) => from + ((list[place] as number) % MAX_CELLS)
      const textAt = (place: number) => texts.find(indexOf(cellAt(place)))
      let length = 0
      for (let first = 0, end = 0; first < count; first = end) {
        const { start: rangeStart, end: firstEnd } = textAt(first)
        let rangeEnd = firstEnd
        for (end = first + 1; end < count; end++) {
          const text = textAt(end)
          if (text.end - rangeStart > RANGE_BYTES) break
          rangeEnd = text.end
        }
        await texts.readAt(range.subarray(0, rangeEnd - rangeStart), rangeStart)
        for (let place = first; place < end; place++) {
          const text = textAt(place)
          starts[cellAt(place) - from] = length
          length += range.copy(bytes, length, text.start - rangeStart, text.end - rangeStart)
        }
      }
      return next
    },
    find(cell, index) {
      const { start, end } = texts.find(index)
      const loaded = end > texts.keptBytes() ? memory : undefined
      found.bytes = loaded ? loaded.bytes : texts.memory
      found.start = loaded ? (loaded.starts[cell - firstCell] as number) : start
      found.end = found.start + end - start
      return found
    },
  }
}

const allocate = () => ({
  list: new Float64Array(MAX_CELLS),
  /** Where the text of each cell is in `bytes`. */
  starts: new Uint32Array(MAX_CELLS),
  bytes: Buffer.allocUnsafeSlow(LOADED_BYTES),
  range: Buffer.allocUnsafeSlow(MAX_TEXT_BYTES),
})
