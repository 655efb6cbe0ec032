import type { FileError } from '../../file-error'
import { createProblemLog } from '../../read/problems'
import type { SheetStore } from '../sheet-store'
import { MAX_SHEETS } from '../workbook'
import { createCellFormats } from './cell-formats'
import { type HtmlTable, type TableBuilder, createTableBuilder, isHiddenBy } from './html-table'
import type { Attributes, TagHandler } from './html-tags'
import { type OfficeSheets, createOfficeSheets } from './office-sheets'
import { type PageSigns, createPageSigns, isEditable } from './page-signs'
import { createShownText } from './shown-text'

/** What was found in a document. */
export interface HtmlDocument {
  /** Those that have a text, in the order in which they begin. */
  tables: HtmlTable[]
  /** Whether there were more than can be listed. */
  hasMoreTables: boolean
  /** Whether cells have number formats for spreadsheets. */
  hasFormats: boolean
  signs: PageSigns
  officeSheets: ReturnType<OfficeSheets['list']>
}

interface HtmlHandler extends TagHandler {
  /** What has been found so far. */
  look(): HtmlDocument
  /** Ends what is still open. */
  end(): void
}

/** Tables within others beyond this are a part of the text. */
const MAX_NESTED = 16
/** Tables of one column or row, which may be a sheet beside others. */
const MAX_SMALL_TABLES = 100
const MAX_NAME_CHARACTERS = 100
const MAX_CSS_CHARACTERS = 1024 * 1024
/** Elements whose content is no text of the page. */
const LEFT_OUT = new Set('script style title template noscript svg'.split(' '))
/** Elements without an end. */
const VOID = new Set('br col embed frame hr img input link meta source wbr'.split(' '))
const PARTS = new Set('caption col colgroup table tbody td tfoot th thead tr'.split(' '))
const PARAGRAPHS = new Set(
  'blockquote center dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section ul'.split(' '),
)
const STRUCK = new Set(['del', 's', 'strike'])
const HEADINGS = new Set('h1 h2 h3 h4 h5 h6'.split(' '))

/** Finds the tables of a document. */
export function createHtmlHandler(
  store: SheetStore,
  damaged: (why: string) => FileError,
): HtmlHandler {
  const signs = createPageSigns()
  const formats = createCellFormats()
  const officeSheets = createOfficeSheets(damaged)
  const found: HtmlTable[] = []
  /** Each in a cell of the one before. */
  const open: TableBuilder[] = []
  let count = 0
  let ignored = 0
  let hasMoreTables = false
  let leftOut: { name: string; depth: number } | undefined
  let css = ''
  /** What the next table may be called by, and whether it is being read. */
  let heading = ''
  let naming: 'heading' | 'caption' | undefined
  const name = createShownText(10 * MAX_NAME_CHARACTERS)

  function addText(text: string): void {
    for (const table of open) if (table.hasCell()) table.text.add(text)
  }

  function addParagraph(): void {
    for (const { text } of open) text.paragraph()
  }

  function endNaming(): void {
    if (!naming) return
    const text = name.take().slice(0, MAX_NAME_CHARACTERS).toWellFormed()
    const table = open.at(-1)?.table
    if (naming === 'heading') heading = text
    else if (table) table.name = text
    naming = undefined
  }

  function openTable(attributes: Attributes): void {
    // As browsers do: outside of cells, a table ends the one before.
    if (open.at(-1)?.hasCell() === false) closeTable(true)
    const table: HtmlTable = {
      order: count++,
      name: heading,
      isHidden: isHiddenBy(attributes),
      outer: open.at(-1)?.table,
      parts: [],
      rows: 0,
      wideRows: 0,
      hasTables: false,
      links: 0,
      header: 'none',
      isComplete: false,
      longRow: undefined,
      notes: createProblemLog(),
    }
    open.push(createTableBuilder(table, store, formats))
  }

  function closeTable(isComplete: boolean): void {
    const builder = open.pop()
    if (!builder) return
    const { table } = builder
    builder.close(isComplete)
    heading = ''
    if (table.parts.length === 0) return
    if (table.wideRows > 0) open.at(-1)?.addInnerTable()
    const isWide = table.wideRows > 1
    if (found.length < (isWide ? MAX_SHEETS : MAX_SMALL_TABLES)) found.push(table)
    else {
      hasMoreTables ||= isWide
      for (const part of table.parts) part.discard()
    }
  }

  function openPart(tag: string, attributes: Attributes): void {
    endNaming()
    if (ignored > 0 || (tag === 'table' && open.length === MAX_NESTED)) {
      if (tag === 'table') ignored++
      addParagraph()
      return
    }
    if (tag === 'table') openTable(attributes)
    const builder = open.at(-1)
    if (!builder) return
    if (tag === 'td' || tag === 'th') {
      for (const outer of open) if (outer !== builder) outer.text.paragraph()
      builder.openCell(tag, attributes)
    } else if (tag === 'tr') builder.openRow(attributes)
    else if (tag === 'caption') naming = 'caption'
    else if (tag === 'col' || (tag === 'colgroup' && attributes.has('span'))) {
      builder.openColumn(attributes)
    } else if (tag !== 'table' && tag !== 'colgroup') builder.openSection(tag)
  }

  function closePart(tag: string): void {
    endNaming()
    if (ignored > 0) {
      if (tag === 'table') ignored--
      return
    }
    const builder = open.at(-1)
    if (tag === 'table') closeTable(true)
    else if (tag === 'td' || tag === 'th') builder?.closeCell()
    else if (tag === 'tr') builder?.closeRow()
    else if (tag.startsWith('t')) builder?.openSection('')
  }

  return {
    open(tag, attributes) {
      const isPart = PARTS.has(tag)
      if (!isPart) {
        signs.open(tag, attributes)
        officeSheets.open(tag, attributes)
      }
      if (leftOut) {
        if (tag === leftOut.name) leftOut.depth++
        if (!isPart) return
        // It has not been closed: what is left out does not reach beyond a cell.
        leftOut = undefined
      }
      if (isPart) openPart(tag, attributes)
      else if (
        LEFT_OUT.has(tag) ||
        (!VOID.has(tag) && (isHiddenBy(attributes) || formats.hides(attributes)))
      ) {
        leftOut = { name: tag, depth: 1 }
      } else if (tag === 'br') for (const { text } of open) text.newLine()
      else if (tag === 'a') open.at(-1)?.addLink()
      else if (tag === 'input') addText(checkMark(attributes))
      else if (tag === 'img') {
        const text = attributes.get('alt') || attributes.get('title') || ''
        for (const table of open) if (table.hasCell()) table.text.image(text)
      } else if (STRUCK.has(tag)) for (const { text } of open) text.strike(true)
      else if (tag === 'sup' || tag === 'sub') for (const { text } of open) text.raise()
      // LibreOffice numbers its sheets: `Sheet 1: <em>Stock</em>`.
      else if (tag === 'em' && naming === 'heading') name.take()
      else if (PARAGRAPHS.has(tag)) {
        addParagraph()
        if (HEADINGS.has(tag)) {
          endNaming()
          naming = 'heading'
        }
      }
    },
    close(tag) {
      officeSheets.close(tag)
      if (leftOut) {
        if (tag === leftOut.name && --leftOut.depth === 0) {
          if (tag === 'style') formats.addRules(css)
          css = ''
          leftOut = undefined
        }
        if (!PARTS.has(tag)) return
        leftOut = undefined
      }
      if (PARTS.has(tag)) closePart(tag)
      else if (STRUCK.has(tag)) for (const { text } of open) text.strike(false)
      else if (PARAGRAPHS.has(tag)) {
        addParagraph()
        if (HEADINGS.has(tag)) endNaming()
      }
    },
    text(text) {
      officeSheets.text(text)
      if (leftOut) {
        if (leftOut.name === 'style' && css.length < MAX_CSS_CHARACTERS) css += text
        return
      }
      if (naming) name.add(text)
      if (open.length > 0) addText(text)
    },
    comment: officeSheets.comment,
    look() {
      const tables = [...found, ...open.map((builder) => builder.look())]
      return {
        tables: tables.toSorted((one, other) => one.order - other.order),
        hasMoreTables,
        hasFormats: formats.hasAny(),
        signs,
        officeSheets: officeSheets.list(),
      }
    },
    end() {
      while (open.length > 0) closeTable(false)
    },
  }
}

/** A field that can only be looked at shows a truth value. */
function checkMark(attributes: Attributes): string {
  if (attributes.get('type')?.toLowerCase() !== 'checkbox' || isEditable(attributes)) return ''
  return attributes.has('checked') ? 'TRUE' : 'FALSE'
}
