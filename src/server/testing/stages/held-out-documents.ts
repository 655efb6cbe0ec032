import { withPlainLineEnds } from './foreign-files'
import { type Expected, type Verdict, findChoice, judgeReading } from './foreign-records'

/** A document with what a buyer expects of it: tools/foreign-tables/held-out/model.py. */
export interface HeldOutDocument {
  file: string
  name: string
  set: 'first' | 'second' | 'third' | 'fourth'
  form: string
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
const toExpected = (document: HeldOutDocument): Expected => ({
  hasTable: document.mustRefuse !== true,
  isAmbiguous: document.mayRefuse === true,
  findWrong: (rows) => findWrongField(rows, document),
})

export interface DocumentOutcome {
  verdict: Verdict
  detail: string
  /** Whether it is right with a choice that its preview offers. */
  isRightWithChoice: boolean
}

/** What becomes of a document without a choice, and with one. */
export async function judgeDocument(
  document: HeldOutDocument,
  bytes: Buffer,
): Promise<DocumentOutcome> {
  const expected = toExpected(document)
  const { verdict, detail } = await judgeReading(expected, bytes)
  const choice = verdict === 'right' ? null : await findChoice(expected, bytes)
  return { verdict, detail, isRightWithChoice: choice !== null }
}

/** Whether everybody would find its table. */
export const hasClearTable = ({ mustRefuse, mayRefuse }: HeldOutDocument): boolean =>
  mustRefuse !== true && mayRefuse !== true

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
  if (!Array.isArray(truth)) {
    return truth.has.every((text) => cell.includes(text) || cell.includes(inJson(text)))
  }
  return cell === truth.join(' | ') || cell === JSON.stringify(truth)
}

/** Of a text in a list that is a cell. */
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

const shorten = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 300)
