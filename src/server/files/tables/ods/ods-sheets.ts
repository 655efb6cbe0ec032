import type { Archive, ArchiveEntry } from '../archive'
import { MAX_PROBED, MAX_SHEETS, type Sheet, workbookTooLarge } from '../workbook'
import { createXmlParser, type ElementHandler, findAttribute } from '../xml-parser'
import type { OdsStyles } from './ods-styles'
import { createSheetEvents, damagedContent } from './sheet-events'
import { createSheetHead, type SheetHead, type SheetHeadEvents } from './sheet-head'
import { createCellBuffer } from './write-row'

export interface ListedSheet {
  sheet: Sheet
  /** Of the sheets that may be looked into. */
  head?: SheetHead
}

/**
 * Lists the sheets of a document in one pass, in which their first rows are found as well. Their sizes would take
 * looking at all of their cells.
 */
export async function readOdsSheets(
  archive: Archive,
  content: ArchiveEntry,
  styles: OdsStyles,
): Promise<ListedSheet[]> {
  const listed: ListedSheet[] = []
  const cell = createCellBuffer()
  let probed = 0
  let head: SheetHeadEvents | undefined
  const events = createSheetEvents({
    // Styles come first: in a flat document, those with names for people as well.
    others: inBoth(styles.named, styles.automatic),
    open(attributes) {
      if (listed.length >= MAX_SHEETS) {
        throw workbookTooLarge(`more than ${MAX_SHEETS.toLocaleString('en')} sheets`)
      }
      const name = findAttribute(attributes, 'name') ?? ''
      const isHidden = styles.isSheetHidden(findAttribute(attributes, 'style-name') ?? '')
      listed.push({ sheet: { name, isHidden, rows: null, columns: null } })
      head = isHidden || probed++ >= MAX_PROBED ? undefined : createSheetHead(styles, cell)
      return head
    },
    close() {
      const last = listed.at(-1)
      if (last && head) last.head = head.end()
      head = undefined
    },
  })
  const parser = createXmlParser(events, damagedContent)
  for await (const chunk of archive.read(content)) {
    parser.write(chunk)
    head?.write()
  }
  parser.end()
  return listed
}

const inBoth = (one: ElementHandler, other: ElementHandler): ElementHandler => ({
  open(name, attributes, depth) {
    one.open(name, attributes, depth)
    other.open(name, attributes, depth)
  },
  close(name, depth) {
    one.close(name, depth)
    other.close(name, depth)
  },
  text(text) {
    one.text(text)
    other.text(text)
  },
})
