import { withPlainLineEnds } from './foreign-files'
import type { Expected } from './foreign-records'

/** A document with what a buyer expects of it: tools/foreign-tables/held-out/model.py. */
export interface HeldOutDocument {
  name: string
  rows: number
  /** The text of each field in every row; columns are found by what is in them, whatever they are called. */
  fields: Record<string, TrueText[]>
  /** It has no table, or is broken. */
  mustRefuse?: boolean
  /** It may be refused, but not read otherwise. */
  mayRefuse?: boolean
}
/** A text; several texts of one name; or what has to be in the cell, among others. */
type TrueText = string | string[] | { has: string[] }

/** What a reader has to do with such a document. */
export const toExpected = (document: HeldOutDocument): Expected => ({
  hasTable: document.mustRefuse !== true,
  isAmbiguous: document.mayRefuse === true,
  findWrong: (rows) => findWrongField(rows, document),
})

function findWrongField([header = [], ...rows]: string[][], document: HeldOutDocument) {
  if (document.mustRefuse === true) return `it was not refused: ${shorten(header)}`
  if (rows.length !== document.rows) return `${rows.length} rows for ${document.rows}`
  for (const [field, texts] of Object.entries(document.fields)) {
    if (texts.every((text) => text === '' || (Array.isArray(text) && text.length === 0))) continue
    const lines = header.map((_, at) => {
      const line = rows.findIndex((row, index) => !isText(row[at] ?? '', texts[index] ?? ''))
      return line < 0 ? rows.length : line
    })
    const longest = Math.max(...lines)
    if (longest === rows.length) continue
    const at = lines.indexOf(longest)
    return `no column with ${field}; ${shorten(header[at])} has ${shorten(rows[longest]?.[at])} for ${shorten(texts[longest])} in row ${longest + 1}; columns ${shorten(header)}`
  }
  return null
}

function isText(found: string, truth: TrueText): boolean {
  const cell = withPlainLineEnds(found)
  if (typeof truth === 'string') return cell === truth
  if (!Array.isArray(truth)) return truth.has.every((text) => cell.includes(text))
  return cell === truth.join(' | ') || cell === JSON.stringify(truth)
}

const shorten = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 300)
