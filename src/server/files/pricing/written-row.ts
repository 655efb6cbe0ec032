import { createRowBytes } from '../merged/row-bytes'
import { cellCount, DOUBLED, QUOTED, type RecordBatch } from '../read/scan/scan'

/** Builds canonical rows one after the other, each as the one record of a batch, in memory that is used again. */
export interface WrittenRow {
  /** Adds a cell of a row as it stands there, with its quotes. */
  copy(batch: RecordBatch, record: number, place: number): void
  /** Adds a cell that is written so. */
  text(cell: Buffer): void
  /** Ends the row as this one ends. */
  end(batch: RecordBatch, record: number): RecordBatch
}

const COMMA = 0x2c
const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d
const EMPTY = Buffer.from('""')

/** @param width how many cells each row has */
export function createWrittenRow(width: number): WrittenRow {
  const output = createRowBytes()
  const built: RecordBatch = {
    bytes: output.bytes,
    count: 1,
    starts: new Uint32Array(1),
    ends: new Uint32Array(1),
    lines: new Uint32Array(1),
    firstCells: new Uint32Array([0, width]),
    cellStarts: new Uint32Array(width),
    cellEnds: new Uint32Array(width),
    cellKinds: new Uint8Array(width),
  }
  let cells = 0
  /** @param kind that of the cell; its quotes are among the bytes */
  function add(bytes: Buffer, start: number, end: number, kind: number): void {
    if (cells > 0) output.byte(COMMA)
    const quote = kind === 0 ? 0 : 1
    built.cellStarts[cells] = output.length + quote
    output.copy(bytes, start, end)
    built.cellEnds[cells] = output.length - quote
    built.cellKinds[cells] = kind
    cells++
  }
  return {
    copy(batch, record, place) {
      if (place >= cellCount(batch, record)) return add(EMPTY, 0, 0, 0)
      const cell = (batch.firstCells[record] as number) + place
      const kind = batch.cellKinds[cell] as number
      const quote = kind === 0 ? 0 : 1
      const start = (batch.cellStarts[cell] as number) - quote
      add(batch.bytes, start, (batch.cellEnds[cell] as number) + quote, kind)
    },
    text(cell) {
      // A line without anything would be no row.
      if (cell.length === 0 && width === 1) return add(EMPTY, 0, EMPTY.length, QUOTED)
      add(cell, 0, cell.length, kindOf(cell))
    },
    end(batch, record) {
      const { bytes, ends } = batch
      const end = ends[record] as number
      let start = end
      if (bytes[start - 1] === LF) start--
      if (bytes[start - 1] === CR) start--
      output.copy(bytes, start, end)
      built.bytes = output.bytes
      built.ends[0] = output.length
      built.lines[0] = batch.lines[record] as number
      cells = 0
      output.length = 0
      return built
    },
  }
}

const kindOf = (cell: Buffer): number =>
  cell[0] === QUOTE ? (cell.includes('""', 1) ? DOUBLED : QUOTED) : 0
