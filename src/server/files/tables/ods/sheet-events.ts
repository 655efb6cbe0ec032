import { damagedWorkbook } from '../workbook'
import type { ElementHandler, XmlAttributes } from '../xml-parser'

interface SheetListener {
  /** @returns who is told what is in this sheet, if anybody is */
  open(attributes: XmlAttributes): ElementHandler | undefined
  close(): void
  /** Is told what is in none. */
  others?: ElementHandler
}

export const damagedContent = (why: string) =>
  damagedWorkbook(`its part “content.xml” cannot be read: ${why}`)

/** In `office:document-content`, `office:body` and `office:spreadsheet`; tables in cells are deeper. */
const SHEET_DEPTH = 4

/** Tells a listener where sheets begin and end. */
export function createSheetEvents({ open, close, others }: SheetListener): ElementHandler {
  let isInside = false
  let sheet: ElementHandler | undefined
  const isSheet = (name: string, depth: number) => name === 'table' && depth === SHEET_DEPTH
  return {
    open(name, attributes, depth) {
      if (isSheet(name, depth)) {
        isInside = true
        sheet = open(attributes)
      } else if (isInside) sheet?.open(name, attributes, depth)
      else others?.open(name, attributes, depth)
    },
    close(name, depth) {
      if (isSheet(name, depth)) {
        isInside = false
        sheet = undefined
        close()
      } else if (isInside) sheet?.close(name, depth)
      else others?.close(name, depth)
    },
    text(text) {
      if (isInside) sheet?.text(text)
      else others?.text(text)
    },
  }
}
