import { DOUBLED, type RecordBatch, cellCount } from './scan'

/** A power of two: more than most files have categories. */
const SLOTS = 4096
/** Longer cells are read each time. */
const MAX_CELL_BYTES = 128
const SAMPLED_BYTES = 8

/**
 * Speeds up a function that reads the cells of one column: a cell with the same bytes as one before is
 * not decoded again, and the same string is returned. Each slot remembers the last cell with its hash,
 * so that memory is bounded and nothing has to be removed.
 */
export function rememberCells(
  column: number,
  read: (batch: RecordBatch, record: number) => string,
): (batch: RecordBatch, record: number) => string {
  const memory = Buffer.allocUnsafeSlow(SLOTS * MAX_CELL_BYTES)
  const texts: string[] = []
  /** For each slot: the length of its cell, doubled, and whether it has `""`; -1 when it is free. */
  const shapes = new Int16Array(SLOTS).fill(-1)

  return (batch, record) => {
    if (column >= cellCount(batch, record)) return read(batch, record)
    const { bytes } = batch
    const cell = (batch.firstCells[record] as number) + column
    const start = batch.cellStarts[cell] as number
    const length = (batch.cellEnds[cell] as number) - start
    if (length > MAX_CELL_BYTES) return read(batch, record)
    const slot = hash(bytes, start, length) % SLOTS
    const shape = 2 * length + (batch.cellKinds[cell] === DOUBLED ? 1 : 0)
    const place = slot * MAX_CELL_BYTES
    if (shapes[slot] === shape && isEqual(bytes, start, memory, place, length)) {
      return texts[slot] as string
    }
    const text = read(batch, record)
    bytes.copy(memory, place, start, start + length)
    shapes[slot] = shape
    texts[slot] = text
    return text
  }
}

/** Of the length, some bytes, and the last ones, in which the names of a series differ. */
function hash(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length
  const step = 1 + Math.floor(length / SAMPLED_BYTES)
  let value = length
  for (let at = start; at < end; at += step) value = mix(value, bytes[at] as number)
  for (let at = Math.max(start, end - 4); at < end; at++) value = mix(value, bytes[at] as number)
  return (value ^ (value >>> 15)) >>> 0
}

const mix = (value: number, byte: number) => Math.imul(value ^ byte, 0x01000193)

function isEqual(
  bytes: Uint8Array,
  start: number,
  others: Uint8Array,
  place: number,
  length: number,
): boolean {
  for (let at = 0; at < length; at++) if (bytes[start + at] !== others[place + at]) return false
  return true
}
