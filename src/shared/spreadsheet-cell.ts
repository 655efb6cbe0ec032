/** Spreadsheets run a text that begins like this. */
const FORMULA = /^'*[=+\-@\t\r\n]/

/**
 * A cell of a CSV file for spreadsheets. An apostrophe keeps what they would run a text. Texts that begin
 * like that after apostrophes get one more, so that removing one restores every text.
 */
export function toSpreadsheetCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
