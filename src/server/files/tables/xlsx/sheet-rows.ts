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

/**
 * Of cells that are written together when their texts are in a file, so that those near each other are read at once.
 * The first rows are few, to be there soon.
 */
const MOST_BYTES = 2 * 1024 * 1024

/** Reads a sheet piece by piece. */
export function openSheetRows(
  entry: ArchiveEntry,
  context: CellContext,
  { maxBytes }: WorkbookLimits,
): TableRows {
  const { parts, texts } = context
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
      let leastBytes = 0
      for await (const chunk of parts.read(entry)) {
        parser.write(chunk)
        await texts.readTo(batch.lastShared())
        if (batch.bytes() < leastBytes) continue
        yield* batch.write(texts, writer)
        leastBytes = texts.isSpilled() ? Math.min(2 * batch.bytes(), MOST_BYTES) : 0
        batch.clear()
      }
      parser.end()
      yield* batch.write(texts, writer)
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
