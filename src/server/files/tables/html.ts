import { FileError } from '../file-error'
import { webPage } from '../read/dialect/sniff'
import { decodeHtml } from './html/decode-html'
import type { HtmlTable } from './html/html-table'
import { listSheets } from './html/list-sheets'
import type { ReadHtml } from './html/read-html'
import { listNames } from './names'
import type { TableRows } from './table-rows'
import type { TextDocument } from './text-document'
import { MAX_SHEETS, type Sheet, type Workbook, cellTooLong, workbookTooLarge } from './workbook'

/**
 * Opens a document in HTML, whose tables are sheets, as programs write it for Excel.
 * @throws FileError `not-csv-html` for a page without a table that may be an inventory, `truncated`
 */
export async function openHtml(source: TextDocument): Promise<Workbook> {
  const { document, encoding } = await decodeHtml(source)
  const { tables, isDoubtful } = listSheets(document)
  if (tables.length === 0) throw document.signs.hasFrames() ? sheetsElsewhere() : webPage()
  if (document.hasMoreTables) {
    throw workbookTooLarge(`more than ${MAX_SHEETS.toLocaleString('en')} tables`)
  }
  if (tables.some(({ isComplete }) => !isComplete)) throw cutOff()
  const bySheet = nameSheets(tables, document)
  const sheets = [...bySheet.keys()]
  return {
    sheets,
    open(sheet) {
      const table = bySheet.get(sheet)
      if (!table) throw new Error('The sheet is of another workbook')
      return openRows(table)
    },
    // All of the document has been read.
    check: async () => undefined,
    encoding: encoding.name,
    ...(isDoubtful && { doubt: doubtOf(sheets) }),
    report(problems) {
      if (encoding.note !== undefined) problems.add(null, encoding.note, { setting: 'encoding' })
      for (const { message, count } of document.problems.list()) {
        problems.add(null, message, { count })
      }
    },
  }
}

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
    const columns = widthOf(table)
    bySheet.set({ name, isHidden, rows: table.rows, columns }, table)
  }
  return bySheet
}

const widthOf = ({ parts }: HtmlTable) => Math.max(0, ...parts.map((part) => part.width()))

/** The error of a sync, as long as none of the tables has been chosen. */
function doubtOf(sheets: readonly Sheet[]): FileError {
  const names = listNames(sheets.map(({ name }) => name))
  return new FileError(
    'not-csv-html',
    `The address gave a web page (HTML), and nothing shows that ${names} in it is an inventory. If it is one, choose it under “Sheets”.`,
  )
}

/** Excel saves the sheets of a workbook as pages of their own. */
function sheetsElsewhere(): FileError {
  return new FileError(
    'not-csv-html',
    'The address gave a web page (HTML) that only shows other pages. If it is a workbook that was saved as a web page, save it as an Excel workbook (.xlsx).',
  )
}

function cutOff(): FileError {
  return new FileError(
    'truncated',
    'The file breaks off in a table, which has no end (</table>). See that it is written and sent as a whole.',
  )
}
