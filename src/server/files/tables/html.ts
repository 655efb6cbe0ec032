import { FileError } from '../file-error'
import { webPage } from '../read/dialect/sniff'
import { decodeHtml } from './html/decode-html'
import type { HtmlTable } from './html/html-table'
import { listSheets } from './html/list-sheets'
import type { ReadHtml } from './html/read-html'
import { listNames } from './names'
import { type TableRows, readFirstChunk } from './table-rows'
import { type TextDocument, canBePreviewed, createEnoughCheck, reportPart } from './text-document'
import { MAX_SHEETS, type Sheet, type Workbook, cellTooLong, workbookTooLarge } from './workbook'
import { UNKNOWN_SIZE } from './xlsx/sheet-size'

/**
 * Opens a document in HTML, whose tables are sheets, as programs write it for Excel.
 * @throws FileError `not-csv-html` for a page without a table that may be an inventory, `truncated`
 */
export async function openHtml(source: TextDocument): Promise<Workbook> {
  const isEnough = createEnoughCheck(source)
  const { document, isWhole } = await decodeHtml(source, (bytes, read) =>
    isEnough(bytes, () => toWorkbook(read(), false)),
  )
  return toWorkbook(document, isWhole)
}

/** @throws FileError */
function toWorkbook(document: ReadHtml, isWhole: boolean): Workbook {
  const { encoding, hasMoreTables, signs, problems: undecoded } = document
  const { tables, isDoubtful, leftOut } = listSheets(document)
  if (tables.length === 0) throw signs.hasFrames() ? sheetsElsewhere() : webPage()
  if (hasMoreTables) {
    throw workbookTooLarge(`more than ${MAX_SHEETS.toLocaleString('en')} tables`)
  }
  if (isWhole && tables.some(({ isComplete }) => !isComplete)) throw cutOff()
  const bySheet = nameSheets(tables, document)
  const sheets = [...bySheet.keys()]
  function open(sheet: Sheet): TableRows {
    const table = bySheet.get(sheet)
    if (!table) throw new Error('The sheet is of another workbook')
    return openRows(table)
  }
  return {
    sheets,
    open,
    readHead: (sheet) => readFirstChunk(open(sheet)),
    // All of the document has been read.
    check: async () => undefined,
    encoding: encoding.name,
    ...(isDoubtful && { doubt: doubtOf(sheets) }),
    report(problems) {
      if (encoding.note !== undefined) problems.add(null, encoding.note, { setting: 'encoding' })
      for (const { message, count } of undecoded.list()) problems.add(null, message, { count })
      if (leftOut > 0) problems.add(null, OTHER_TABLES, { count: leftOut })
      if (signs.hasNext()) problems.add(null, NEXT_PAGE)
      if (!isWhole) reportPart(problems)
    },
  }
}

const OTHER_TABLES =
  'Tables of the file were left out, because they have no names of columns as an inventory has.'
const NEXT_PAGE =
  'The page says that another one follows. Only this one was read: enter an address that gives all rows.'

function openRows(table: HtmlTable): TableRows {
  const { parts, longRow, notes } = table
  return {
    async *read() {
      for (const part of parts) yield* part.read()
      if (longRow !== undefined) throw cellTooLong(longRow)
    },
    width: () => widthOf(table),
    report(problems) {
      for (const { line, message, count } of notes.list()) problems.add(line, message, { count })
    },
  }
}

/** By their captions, by headings before them, or as Excel lists its worksheets. */
function nameSheets(
  tables: readonly HtmlTable[],
  { officeSheets }: ReadHtml,
): Map<Sheet, HtmlTable> {
  const taken = new Set<string>()
  const bySheet = new Map<Sheet, HtmlTable>()
  for (const [index, table] of tables.entries()) {
    const listed = officeSheets[index]
    const wanted = table.name || listed?.name || `Table ${index + 1}`
    let name = wanted
    for (let number = 2; taken.has(name); number++) name = `${wanted} (${number})`
    taken.add(name)
    const isHidden = table.isHidden || listed?.isHidden === true
    const { isComplete, parts, rows } = table
    if (!isComplete && !canBePreviewed(parts)) continue
    const size = isComplete ? { rows, columns: widthOf(table) } : UNKNOWN_SIZE
    bySheet.set({ name, isHidden, ...size }, table)
  }
  return bySheet
}

const widthOf = ({ parts }: HtmlTable) => Math.max(0, ...parts.map((part) => part.width()))

/** The error of a sync, as long as none of the tables has been chosen. */
function doubtOf(sheets: readonly Sheet[]): FileError {
  const names = listNames(sheets.map(({ name }) => name))
  return new FileError(
    'not-csv-html',
    `The file is a web page (HTML), and nothing shows that ${names} in it is an inventory. If it is one, choose it under “Sheets”.`,
  )
}

/** Excel saves the sheets of a workbook as pages of their own. */
function sheetsElsewhere(): FileError {
  return new FileError(
    'not-csv-html',
    'The file is a web page (HTML) that only shows other pages. If it is a workbook that was saved as a web page, save it as an Excel workbook (.xlsx).',
  )
}

function cutOff(): FileError {
  return new FileError(
    'truncated',
    'The file breaks off in a table, which has no end (</table>). See that it is written and sent as a whole.',
  )
}
