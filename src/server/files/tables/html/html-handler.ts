import type { FileError } from '../../file-error'
import { createProblemLog } from '../../read/problems'
import type { SheetStore } from '../sheet-store'
import { MAX_SHEETS } from '../workbook'
import { type CellFormats, createCellFormats } from './cell-formats'
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
/** Signs that show something without a text. */
const ICON = /\b(?:icon|fa|fas|far|glyphicon|bi|material|check|tick|status|led|dot)\b/i
const MAX_PAGE_TEXT = 300
const NO_ATTRIBUTES: Attributes = new Map()

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
  /** Whether the document begins with a row, and has no table; whether its last row is open. */
  let isRowsAlone: boolean | undefined
  let isRowOpen = false
  let leftOut: { name: string; depth: number } | undefined
  let css = ''
  let title = ''
  /** What is struck out by its style. */
  let struck: { name: string; depth: number } | undefined
  let isPreformatted = false
  /** The end of what stands outside of cells so far, and what stands in the open link. */
  let pageText = ''
  let linkText: string | undefined
  /** What the next table may be called by, and whether it is being read. */
  let heading = ''
  let naming: 'heading' | 'caption' | undefined
  const name = createShownText(10 * MAX_NAME_CHARACTERS)

  function addText(text: string): void {
    for (const table of open) if (table.hasCell()) table.text.add(text)
  }

  function addParagraph(): void {
    for (const { text } of open) text.paragraph()
    endPageText()
  }

  function endPageText(): void {
    if (pageText !== '') signs.text(pageText, 'page')
    pageText = ''
  }

  function strike(isStruck: boolean): void {
    for (const { text } of open) text.strike(isStruck)
  }

  /** Of lines as they are, the ends are shown. */
  function addLines(text: string): void {
    const [first = '', ...others] = text.split(/\r?\n/)
    addText(first)
    for (const line of others) {
      for (const { text: shown } of open) shown.newLine()
      addText(line)
    }
  }

  function endNaming(): void {
    if (!naming) return
    const text = name.take().slice(0, MAX_NAME_CHARACTERS).toWellFormed()
    const table = open.at(-1)?.table
    if (naming === 'heading') {
      heading = text
      signs.text(text, 'heading')
    } else if (table) table.name = text
    naming = undefined
  }

  function addImage(attributes: Attributes): void {
    const names = ['alt', 'title', 'aria-label', 'value'] as const
    const text = names.map((one) => attributes.get(one)).find((one) => one) ?? ''
    for (const table of open) if (table.hasCell()) table.text.image(text)
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
    endPageText()
    struck = undefined
    if (ignored > 0 || (tag === 'table' && open.length === MAX_NESTED)) {
      if (tag === 'table') ignored++
      addParagraph()
      return
    }
    if (tag === 'table') openTable(attributes)
    else if (tag === 'tr' && isRowsAlone && count === 0) {
      openTable(NO_ATTRIBUTES)
      // SQLite writes texts as they are.
      isPreformatted = true
    }
    if (tag === 'tr') isRowOpen = true
    const builder = open.at(-1)
    if (!builder) return
    if (tag === 'td' || tag === 'th') {
      for (const outer of open) if (outer !== builder) outer.text.paragraph()
      builder.openCell(tag, attributes)
    } else if (tag === 'tr') builder.openRow(attributes)
    else if (tag === 'caption') naming = 'caption'
    else if (tag === 'col' || (tag === 'colgroup' && attributes.has('span'))) {
      builder.openColumn(attributes)
    } else if (tag !== 'table' && tag !== 'colgroup') builder.openSection(tag, attributes)
  }

  function closePart(tag: string): void {
    endNaming()
    if (ignored > 0) {
      if (tag === 'table') ignored--
      return
    }
    const builder = open.at(-1)
    if (tag === 'tr') isRowOpen = false
    if (tag === 'table') closeTable(true)
    else if (tag === 'td' || tag === 'th') builder?.closeCell()
    else if (tag === 'tr') builder?.closeRow()
    else if (tag.startsWith('t')) builder?.openSection('')
  }

  return {
    open(tag, attributes) {
      const isPart = PARTS.has(tag)
      isRowsAlone ??= tag === 'tr'
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
        if (tag === 'svg') addImage(attributes)
      } else if (struck?.name === tag) struck.depth++
      else if (!struck && !VOID.has(tag) && isStruckBy(attributes, formats)) {
        struck = { name: tag, depth: 1 }
        strike(true)
      } else if (tag === 'br') for (const { text } of open) text.newLine()
      else if (tag === 'a') {
        open.at(-1)?.addLink()
        linkText = ''
      } else if (tag === 'input') addText(checkMark(attributes))
      else if (tag === 'img' || tag === 'meter' || tag === 'progress' || isIcon(tag, attributes)) {
        addImage(attributes)
      } else if (STRUCK.has(tag)) strike(true)
      else if (tag === 'sup' || tag === 'sub') for (const { text } of open) text.raise()
      // LibreOffice numbers its sheets: `Sheet 1: <em>Stock</em>`.
      else if (tag === 'em' && naming === 'heading') name.take()
      else if (PARAGRAPHS.has(tag)) {
        addParagraph()
        if (tag === 'pre') isPreformatted = true
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
          if (tag === 'title') signs.text(title, 'heading')
          css = title = ''
          leftOut = undefined
        }
        if (!PARTS.has(tag)) return
        leftOut = undefined
      }
      if (PARTS.has(tag)) closePart(tag)
      else if (struck?.name === tag) {
        if (--struck.depth > 0) return
        struck = undefined
        strike(false)
      } else if (STRUCK.has(tag)) strike(false)
      else if (tag === 'a') {
        if (linkText !== undefined) signs.text(linkText, 'link')
        linkText = undefined
      } else if (PARAGRAPHS.has(tag)) {
        addParagraph()
        if (tag === 'pre') isPreformatted = false
        if (HEADINGS.has(tag)) endNaming()
      }
    },
    text(text) {
      officeSheets.text(text)
      if (leftOut) {
        if (leftOut.name === 'style' && css.length < MAX_CSS_CHARACTERS) css += text
        if (leftOut.name === 'title' && title.length < MAX_NAME_CHARACTERS) title += text
        return
      }
      if (naming) name.add(text)
      if (linkText !== undefined && linkText.length < MAX_NAME_CHARACTERS) linkText += text
      if (!open.some((table) => table.hasCell())) {
        pageText = (pageText + text).slice(-MAX_PAGE_TEXT)
      }
      if (open.length === 0) return
      if (isPreformatted) addLines(text)
      else addText(text)
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
      endPageText()
      while (open.length > 0) closeTable(isRowsAlone === true && open.length === 1 && !isRowOpen)
    },
  }
}

function isIcon(tag: string, attributes: Attributes): boolean {
  return (tag === 'i' || tag === 'span') && ICON.test(attributes.get('class') ?? '')
}

function isStruckBy(attributes: Attributes, formats: CellFormats): boolean {
  if (attributes.size === 0) return false
  return attributes.get('style')?.includes('line-through') === true || formats.strikes(attributes)
}

/** A field that can only be looked at shows a truth value. */
function checkMark(attributes: Attributes): string {
  if (attributes.get('type')?.toLowerCase() !== 'checkbox' || isEditable(attributes)) return ''
  return attributes.has('checked') ? 'TRUE' : 'FALSE'
}
