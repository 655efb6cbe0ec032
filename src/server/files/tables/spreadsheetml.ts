import { createSheetStore } from './sheet-store'
import { type BookSheet, createBookHandler } from './spreadsheetml/book-handler'
import { type TableRows, readFirstChunk } from './table-rows'
import { type TextDocument, canBePreviewed, createEnoughCheck, reportPart } from './text-document'
import { type Sheet, type Workbook, damagedWorkbook } from './workbook'
import { UNKNOWN_SIZE } from './xlsx/sheet-size'
import { createXmlParser } from './xml-parser'

/** Rows are stored after each piece; an index in it may stand for many rows or columns before a cell. */
const PIECE_BYTES = 4 * 1024

/**
 * Opens a workbook in the XML of Excel 2003 (“XML Spreadsheet 2003”), which programs still write as `.xml` or `.xls`.
 * It is read to its end, unless a preview needs less, and the rows of its sheets are stored.
 * @throws FileError
 */
export async function openSpreadsheetMl(document: TextDocument): Promise<Workbook> {
  const { body, openScratch, maxBytes, onRead } = document
  const isEnough = createEnoughCheck(document)
  const store = createSheetStore(await openScratch('rows'), maxBytes)
  const handler = createBookHandler(store)
  const parser = createXmlParser(handler, damagedWorkbook)
  const openPart = () => toWorkbook(handler.sheets, true)
  let bytes = 0
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      parser.write(chunk.subarray(at, at + PIECE_BYTES))
      await store.flush()
    }
    onRead((bytes += chunk.length))
    if (await isEnough(bytes, openPart)) return openPart()
  }
  parser.end()
  await store.flush()
  return toWorkbook(handler.sheets, false)
}

function toWorkbook(sheets: readonly BookSheet[], isPart: boolean): Workbook {
  const bySheet = new Map<Sheet, BookSheet>()
  for (const read of sheets) {
    const { name, isHidden, isComplete, stored, lastRow } = read
    if (!isComplete && !canBePreviewed([stored])) continue
    const size = isComplete ? { rows: lastRow, columns: stored.width() } : UNKNOWN_SIZE
    bySheet.set({ name, isHidden, ...size }, read)
  }
  function open(sheet: Sheet): TableRows {
    const read = bySheet.get(sheet)
    if (!read) throw new Error('The sheet is of another workbook')
    return openRows(read)
  }
  return {
    sheets: [...bySheet.keys()],
    open,
    readHead: (sheet) => readFirstChunk(open(sheet)),
    // All of the document has been read.
    check: async () => undefined,
    ...(isPart && { report: reportPart }),
  }
}

function openRows({ stored, notes }: BookSheet): TableRows {
  return {
    read: stored.read,
    width: stored.width,
    report(problems) {
      for (const { line, message, count } of notes.list()) problems.add(line, message, { count })
    },
  }
}
