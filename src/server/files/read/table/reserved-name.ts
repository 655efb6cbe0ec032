import { CHANGE_COLUMN, isChangeColumn } from '../../../../shared/shop-formats'
import type { ProblemLog } from '../problems'
import { displayName } from '../scan/display-cell'
import { type RecordBatch, listCells } from '../scan/scan'
import type { RowSink, TableHeader } from './table'

/** What takes the place of the first character, at the end, in the order in which they are tried. */
const ENDINGS = ['_', '2', '3', '4', '5', '6', '7', '8', '9']

/**
 * Renames columns with the name by which answers of feed addresses say what has become of a row. The new
 * name has as many bytes, so that all else stays where it is in the file: `change_` for `_change`.
 */
export function renameReservedColumns(sink: RowSink, problems: ProblemLog): RowSink {
  return {
    start(columns, header) {
      if (!header || !columns.some(isChangeColumn)) return sink.start(columns, header)
      const renamed = renameIn(header, columns, problems)
      const names = listCells(renamed.batch, renamed.record).map(displayName)
      return sink.start(names, renamed)
    },
    row: sink.row,
  }
}

function renameIn(
  { batch, record }: TableHeader,
  columns: string[],
  problems: ProblemLog,
): TableHeader {
  const bytes = Buffer.from(batch.bytes)
  const taken = new Set(columns.map((name) => name.toLowerCase()))
  for (const [column, name] of columns.entries()) {
    if (!isChangeColumn(name)) continue
    const free = findFree(name, taken)
    const cell = (batch.firstCells[record] as number) + column
    const at = bytes.indexOf(name, batch.cellStarts[cell])
    bytes.write(free, at)
    problems.add(
      batch.lines[record] ?? 1,
      `The column “${name}” was renamed to “${free}”: files of changes have a column ${CHANGE_COLUMN} that says what has become of a row.`,
    )
  }
  return { batch: { ...batch, bytes }, record, isRenamed: true }
}

const newNames = (name: string) => ENDINGS.map((ending) => name.trim().slice(1) + ending)

/** Adds to the names of hidden columns those by which such a column may be called since it was hidden. */
export function withNewNames(hidden: readonly string[]): string[] {
  return hidden.flatMap((name) => (isChangeColumn(name) ? [name, ...newNames(name)] : name))
}

function findFree(name: string, taken: Set<string>): string {
  const names = newNames(name)
  const free = names.find((candidate) => !taken.has(candidate.toLowerCase())) ?? names[0] ?? name
  taken.add(free.toLowerCase())
  return free
}

/** The bytes of a header's record, line end included. */
export function headerBytes({ batch, record }: TableHeader): Buffer {
  const { bytes, starts, ends }: RecordBatch = batch
  return Buffer.from(bytes.subarray(starts[record], ends[record]))
}
