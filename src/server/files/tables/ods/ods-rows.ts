import { createProblemLog } from '../../read/problems'
import type { Archive, ArchiveEntry } from '../archive'
import { createHiddenColumns } from '../hidden-columns'
import { createRowWriter } from '../row-writer'
import type { TableRows } from '../table-rows'
import type { WorkbookLimits } from '../workbook'
import { createXmlParser } from '../xml-parser'
import { createOdsHandler } from './ods-handler'
import type { OdsStyles } from './ods-styles'
import { createSheetEvents, damagedContent } from './sheet-events'
import { createCellBuffer, writeRow } from './write-row'

interface OdsDocument {
  archive: Archive
  content: ArchiveEntry
  styles: OdsStyles
}

/** Reads the sheet with this number, and stops at its end. */
export function openOdsRows(
  { archive, content, styles }: OdsDocument,
  sheet: number,
  { maxBytes }: WorkbookLimits,
): TableRows {
  let writer = createRowWriter(maxBytes)
  let notes = createProblemLog()
  let hiddenColumns = createHiddenColumns()
  return {
    async *read() {
      writer = createRowWriter(maxBytes)
      notes = createProblemLog()
      hiddenColumns = createHiddenColumns()
      const handler = createOdsHandler(styles, hiddenColumns, notes)
      const cell = createCellBuffer()
      let opened = 0
      let closed = 0
      const events = createSheetEvents({
        open: () => (opened++ === sheet ? handler : undefined),
        close: () => closed++,
      })
      const parser = createXmlParser(events, damagedContent)
      for await (const chunk of archive.read(content)) {
        parser.write(chunk)
        for (const row of handler.takeRows()) yield* writeRow(row, writer, cell)
        if (closed > sheet) break
      }
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
