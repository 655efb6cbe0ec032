import { createProblemLog } from '../../read/problems'
import type { Archive, ArchiveEntry } from '../archive'
import { writeCell } from '../csv-cell'
import { createHiddenColumns } from '../hidden-columns'
import { type RowWriter, createRowWriter } from '../row-writer'
import type { TableRows } from '../table-rows'
import { MAX_CELL_CHARACTERS, type WorkbookLimits } from '../workbook'
import { createXmlParser } from '../xml-parser'
import { type OdsRow, createOdsHandler } from './ods-handler'
import { damagedContent } from './ods-sheets'
import type { OdsStyles } from './ods-styles'

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
      const cell = Buffer.allocUnsafe(4 * MAX_CELL_CHARACTERS)
      const handler = createOdsHandler(sheet, styles, hiddenColumns, notes)
      const parser = createXmlParser(handler, damagedContent)
      for await (const chunk of archive.read(content)) {
        parser.write(chunk)
        for (const row of handler.takeRows()) yield* writeRow(row, writer, cell)
        if (handler.isDone()) break
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

function* writeRow(
  { row, repeats, cells }: OdsRow,
  writer: RowWriter,
  bytes: Buffer,
): Generator<Buffer> {
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const { column, repeats: copies, text } of cells) {
      const end = writeCell(text, bytes, 0)
      for (let copy = 0; copy < copies; copy++) {
        writer.cell(row + repeat, column + copy, bytes, 0, end)
        for (let chunk = writer.take(); chunk; chunk = writer.take()) yield chunk
      }
    }
  }
}
