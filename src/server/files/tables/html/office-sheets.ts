import type { FileError } from '../../file-error'
import { type TagHandler, createTagReader } from './html-tags'

/** Collects the worksheets that Excel lists at the beginning of its pages, as elements or in a comment. */
export interface OfficeSheets extends TagHandler {
  list(): readonly OfficeSheet[]
}

interface OfficeSheet {
  name: string
  isHidden: boolean
}

const MAX_SHEETS = 1_000
const MAX_CHARACTERS = 1_000

export function createOfficeSheets(damaged: (why: string) => FileError): OfficeSheets {
  const sheets: OfficeSheet[] = []
  /** The text of an open element, if it is of interest. */
  let content: string | undefined
  const elements: TagHandler = {
    open(name) {
      if (name === 'x:excelworksheet' && sheets.length < MAX_SHEETS) {
        sheets.push({ name: '', isHidden: false })
      }
      content = name === 'x:name' || name === 'x:visible' ? '' : undefined
    },
    close(name) {
      const sheet = sheets.at(-1)
      if (sheet && name === 'x:name') sheet.name = content?.trim() ?? ''
      if (sheet && name === 'x:visible') sheet.isHidden = content?.includes('Hidden') ?? false
      content = undefined
    },
    text(piece) {
      if (content !== undefined && content.length < MAX_CHARACTERS) content += piece
    },
    comment: () => undefined,
  }
  return {
    ...elements,
    comment(text) {
      if (!text.includes('x:ExcelWorksheet')) return
      const reader = createTagReader(elements, damaged)
      reader.write(text)
      reader.end()
    },
    list: () => sheets,
  }
}
