import type { ProblemLog } from '../read/problems'
import type { Layout } from './layout'
import type { NumberReading } from './workbook/plain-number'

/** What a row is written from: texts, and numbers where quantities are computed. */
export type Cells = readonly (string | number)[]

/** Is given the columns, and returns what writes the rows. */
export type RowTarget = (start: {
  layout: Layout
  /** How the columns of numbers are read; null for texts. */
  numbers: readonly (NumberReading | null)[]
  log: ProblemLog
}) => (cells: Cells) => void

/** May use the chunk only until its promise settles: the memory is reused. */
export type Write = (chunk: Uint8Array) => Promise<void>

/** Collects written rows, and passes them on. */
export interface RowOutput {
  start: RowTarget
  /** The bytes of the file so far, or about those of its cells where it is compressed. */
  size(): number
  /** Passes on what was collected. */
  flush(write: Write): Promise<void>
  /** Writes the end of the file, after its last row. */
  finish(write: Write): Promise<void>
}
