import { takeNumbers } from '../../task-memory'
import { DOUBLED, type RecordBatch, cellCount } from './scan'

/** A power of two: more than most files have categories. */
const SLOTS = 4096
/** Longer cells are read each time. */
const MAX_CELL_BYTES = 128
/** What the memory is compared in. */
const WORD = 4

/**
 * Speeds up a function that reads the cells of one column: a cell with the same bytes as one before is
 * not decoded again, and the same string is returned. Each slot remembers the last cell with its hash,
 * so that memory is bounded and nothing has to be removed.
 */
export function rememberCells(
  column: number,
  read: (batch: RecordBatch, record: number) => string,
): (batch: RecordBatch, record: number) => string {
  const memory = takeNumbers(Int32Array, (SLOTS * MAX_CELL_BYTES) / WORD)
  const texts = Array<string>(SLOTS).fill('')
  /** For each slot: the length of its cell, doubled, and whether it has `""`; -1 when it is free. */
  const shapes = new Int16Array(SLOTS).fill(-1)
  const words = new Int32Array(MAX_CELL_BYTES / WORD)
  let viewed: Buffer | undefined
  let view: DataView = new DataView(memory.buffer)

  /** Copies a cell to `words`, and returns its hash. */
  function takeWords(bytes: Buffer, start: number, length: number): number {
    let hash = length
    const whole = length >> 2
    for (let index = 0; index < whole; index++) {
      const word = view.getInt32(start + WORD * index, true)
      words[index] = word
      hash = mix(hash, word)
    }
    let rest = 0
    for (let at = WORD * whole; at < length; at++)
      rest = (rest << 8) | (bytes[start + at] as number)
    words[whole] = rest
    return mix(hash, rest)
  }

  return (batch, record) => {
    if (column >= cellCount(batch, record)) return read(batch, record)
    const { bytes } = batch
    const cell = (batch.firstCells[record] as number) + column
    const start = batch.cellStarts[cell] as number
    const length = (batch.cellEnds[cell] as number) - start
    if (length >= MAX_CELL_BYTES) return read(batch, record)
    if (bytes !== viewed) {
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
      viewed = bytes
    }
    const slot = takeWords(bytes, start, length) & (SLOTS - 1)
    const shape = 2 * length + (batch.cellKinds[cell] === DOUBLED ? 1 : 0)
    const place = (slot * MAX_CELL_BYTES) / WORD
    const used = (length >> 2) + 1
    if (shapes[slot] === shape) {
      let same = 0
      while (same < used && memory[place + same] === words[same]) same++
      if (same === used) return texts[slot] as string
    }
    const text = read(batch, record)
    for (let index = 0; index < used; index++) memory[place + index] = words[index] as number
    shapes[slot] = shape
    texts[slot] = text
    return text
  }
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
