/**
 * Spreadsheets run a text that begins like this; some leave out what is blank before. In Japanese,
 * Excel takes the full-width forms of signs for the others.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}]*[=+\-@＝＋－＠])/u
/**
 * Where a cell would begin, within a line, for a program that expects another delimiter than the file has.
 * Quotes do not hold the text together there.
 */
const CELL_START = /(^|[,;\t])('*(?:[^\S\t]|")*[=+\-@＝＋－＠])/g
const LINE = /[^\r\n]+/g
/** Without one of these a formula calls nothing and reads no other file. */
const REACHING = ['(', '|', '!', '（', '｜', '！']

/** A number with a sign, which is no formula. */
const SIGNED_NUMBER = /^[+-](?:\d[\d.,]*|[.,]\d+)(?:e[+-]?\d+)?%?$/i

/**
 * Puts an apostrophe before what spreadsheets would run: at the beginning of a text, and within it after a
 * comma, semicolon, tab or line break where a bracket, `|` or `!` follows on the same line. Texts that have
 * apostrophes there already get one more, so that removing one in the same places restores every text.
 */
export function guardFormulas(text: string): string {
  const isReaching = REACHING.some((mark) => text.includes(mark))
  const guarded = isReaching ? text.replace(LINE, guardWithin) : text
  return FORMULA.test(text) ? `'${guarded}` : guarded
}

function guardWithin(line: string, lineAt: number): string {
  const end = Math.max(...REACHING.map((mark) => line.lastIndexOf(mark)))
  return line.replace(CELL_START, (start, separator: string, formula: string, at: number) => {
    const isWithin = lineAt + at > 0 || separator !== ''
    return isWithin && at < end ? `${separator}'${formula}` : start
  })
}

/** Likewise, but leaves numbers with a sign as they are. */
export function guardFormulasButNumbers(text: string): string {
  return SIGNED_NUMBER.test(text.trim()) ? text : guardFormulas(text)
}

/** A cell of a CSV file for spreadsheets: without formulas, and with quotes where it needs them. */
export function toSpreadsheetCell(text: string): string {
  const safe = guardFormulas(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
