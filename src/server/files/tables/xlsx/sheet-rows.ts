import { type ProblemLog, createProblemLog } from '../../read/problems'
import type { ArchiveEntry } from '../archive'
import { type HiddenColumns, createHiddenColumns } from '../hidden-columns'
import { createRowWriter } from '../row-writer'
import type { TableRows } from '../table-rows'
import type { WorkbookLimits } from '../workbook'
import { createXmlParser } from '../xml-parser'
import { createCellBatch } from './cell-batch'
import type { CellContext } from './cell-context'
import { damagedPart } from './package'
import { createSheetHandler } from './sheet-handler'

/** Reads a sheet piece by piece. */
export function openSheetRows(
  entry: ArchiveEntry,
  context: CellContext,
  { maxBytes }: WorkbookLimits,
): TableRows {
  let writer = createRowWriter(maxBytes)
  let notes: ProblemLog = createProblemLog()
  let hiddenColumns: HiddenColumns = createHiddenColumns()
  return {
    async *read() {
      writer = createRowWriter(maxBytes)
      notes = createProblemLog()
      hiddenColumns = createHiddenColumns()
      const batch = createCellBatch()
      const handler = createSheetHandler(batch, hiddenColumns, notes, context)
      const parser = createXmlParser(handler, damagedPart(entry))
      for await (const chunk of context.parts.read(entry)) {
        batch.clear()
        parser.write(chunk)
        await context.texts.readTo(batch.lastShared())
        yield* batch.write(context.texts, writer)
      }
      parser.end()
      writer.end()
      for (let chunk = writer.take(); chunk; chunk = writer.take()) yield chunk
    },
    width: () => writer.width(),
    report(problems) {
      hiddenColumns.report(writer.width(), problems)
      for (const { line, message, count } of notes.list()) problems.add(line, message, { count })
    },
  }
}
