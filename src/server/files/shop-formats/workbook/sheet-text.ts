import { isPlainNumber, type NumberReading } from './plain-number'

/** The longest text of a cell, in UTF-16 code units. */
const MAX_CELL_CHARACTERS = 32_767
/** With the header. */
export const MAX_SHEET_ROWS = 1_048_576

/** Numbers are shown with the decimals that they are written with. */
export const MAX_SHOWN_DECIMALS = 8

/** The styles of `styles.xml`, in its order; numbers follow by their decimals. */
const HEADER_STYLE = 1
const TEXT_STYLE = 2
const NUMBER_STYLES = 3

const MIN_WIDTH = 8
const MAX_WIDTH = 60

type Cell = string | number

/** The elements of rows. All texts are inline, so that nothing has to be kept until the end. */
export interface SheetText {
  header(): string
  /** @param number 1-based, of the row in its sheet */
  row(cells: readonly Cell[], number: number): string
}

interface SheetOptions {
  headers: readonly string[]
  /** How numbers are read, by column; null for columns of texts. */
  numbers: readonly (NumberReading | null)[]
  /** Is called for each text that is cut. */
  onCut: () => void
}

export function createSheetText({ headers, numbers, onCut }: SheetOptions): SheetText {
  const letters = headers.map((_, column) => toLetters(column))
  const cut = (text: string) => {
    if (text.length <= MAX_CELL_CHARACTERS) return text
    onCut()
    return cutText(text)
  }
  const textCell = (text: string, place: string, style: number) =>
    `<c r="${place}" s="${style}" t="inlineStr"><is>${toTextElement(cut(text))}</is></c>`
  const toCell = (cell: Cell, column: number, number: number): string => {
    if (cell === '') return ''
    const place = `${letters[column]}${number}`
    const text = String(cell)
    const reading = typeof cell === 'number' ? ANY_NUMBER : numbers[column]
    if (!reading || !isPlainNumber(text, reading)) return textCell(text, place, TEXT_STYLE)
    return `<c r="${place}" s="${NUMBER_STYLES + countDecimals(text)}"><v>${text}</v></c>`
  }
  return {
    header: () =>
      `<row r="1">${headers.map((text, column) => textCell(text, `${letters[column]}1`, HEADER_STYLE)).join('')}</row>`,
    row(cells, number) {
      let text = `<row r="${number}">`
      for (let column = 0; column < cells.length; column++) {
        text += toCell(cells[column] as Cell, column, number)
      }
      return `${text}</row>`
    },
  }
}

const ANY_NUMBER: NumberReading = { isThousandsPossible: false }

function countDecimals(number: string): number {
  const point = number.indexOf('.')
  return point < 0 ? 0 : number.length - point - 1
}

/** A, B, … Z, AA: the name of a column. */
export function toLetters(column: number): string {
  const last = String.fromCodePoint(65 + (column % 26))
  return column < 26 ? last : toLetters(Math.floor(column / 26) - 1) + last
}

/** Without half a character at the end. */
function cutText(text: string): string {
  const last = text.charCodeAt(MAX_CELL_CHARACTERS - 1)
  const isHalf = last >= 0xd8_00 && last <= 0xdb_ff
  return text.slice(0, isHalf ? MAX_CELL_CHARACTERS - 1 : MAX_CELL_CHARACTERS)
}

/** What XML or Excel would read as something else. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SPECIAL = /[&<>\u0000-\u0008\u000b-\u001f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)/g
/** Where XML readers would leave white space out. */
const EDGES = /^[\s]|[\s]$|[\t\n\r]| {2}/

function toTextElement(text: string): string {
  const space = EDGES.test(text) ? ' xml:space="preserve"' : ''
  return `<t${space}>${text.replace(SPECIAL, escapeCharacter)}</t>`
}

const NAMED: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  // Otherwise XML readers turn it into a line feed.
  '\r': '&#13;',
}

/** What XML does not allow is written as Excel does: `_x0001_`, and the start of such a text as `_x005F_`. */
const escapeCharacter = (character: string): string =>
  NAMED[character] ?? `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** Widths in characters, from the longest first lines of cells. */
export function createWidths(headers: readonly string[]) {
  const widths = headers.map(toWidth)
  return {
    add(cells: readonly Cell[]): void {
      for (const [column, cell] of cells.entries()) {
        widths[column] = Math.max(widths[column] ?? MIN_WIDTH, toWidth(String(cell)))
      }
    },
    list: (): readonly number[] => widths,
  }
}

function toWidth(text: string): number {
  const lineEnd = text.slice(0, MAX_WIDTH).search(/[\r\n]/)
  const length = lineEnd < 0 ? text.length : lineEnd
  // With the button of the filter.
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, length + 3))
}
