import type { Archive, ArchiveEntry } from '../archive'
import { MAX_SHEETS, type Sheet, damagedWorkbook, workbookTooLarge } from '../workbook'
import { findAttribute, readXml } from '../xml-parser'
import type { OdsStyles } from './ods-styles'

/** Lists the sheets of a document. Their sizes would take reading all of their cells. */
export async function readOdsSheets(
  archive: Archive,
  content: ArchiveEntry,
  styles: OdsStyles,
): Promise<Sheet[]> {
  const sheets: Sheet[] = []
  await readXml(
    archive.read(content),
    {
      open(name, attributes, depth) {
        if (isSheet(name, depth)) {
          if (sheets.length >= MAX_SHEETS) {
            throw workbookTooLarge(`more than ${MAX_SHEETS.toLocaleString('en')} sheets`)
          }
          sheets.push({
            name: findAttribute(attributes, 'name') ?? '',
            isHidden: styles.isSheetHidden(findAttribute(attributes, 'style-name') ?? ''),
            rows: null,
            columns: null,
          })
          // Styles come first.
        } else if (sheets.length === 0) styles.open(name, attributes)
      },
      close: () => undefined,
    },
    damagedContent,
  )
  return sheets
}

export const damagedContent = (why: string) =>
  damagedWorkbook(`its part “content.xml” cannot be read: ${why}`)

const SHEET_DEPTH = 4

/** In `office:document-content`, `office:body` and `office:spreadsheet`. */
export const isSheet = (name: string, depth: number): boolean =>
  name === 'table' && depth === SHEET_DEPTH
