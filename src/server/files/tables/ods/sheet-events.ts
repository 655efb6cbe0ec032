import { damagedWorkbook } from '../workbook'
import type { XmlAttributes, XmlHandler } from '../xml-parser'

/** What is in a sheet. */
export type SheetEvents = Required<XmlHandler>

interface SheetListener {
  /** @returns who is told what is in this sheet, if anybody is */
  open(attributes: XmlAttributes): SheetEvents | undefined
  close(): void
  /** Is told what is in none. */
  others?: XmlHandler
}

export const damagedContent = (why: string) =>
  damagedWorkbook(`its part “content.xml” cannot be read: ${why}`)

/** In `office:document-content`, `office:body` and `office:spreadsheet`; tables in cells are deeper. */
const SHEET_DEPTH = 4

/** Tells a listener where sheets begin and end. */
export function createSheetEvents({ open, close, others }: SheetListener): SheetEvents {
  let isInside = false
  let sheet: SheetEvents | undefined
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
      else others?.text?.(text)
    },
  }
}
