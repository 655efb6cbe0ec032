import { FileError } from '../../file-error'
import { findBinaryFormat, type OtherFormat } from './binary-format'
import { findDrawnLine } from './drawn-table'
import { findMarkup } from './markup'
import { findOtherLanguage } from './other-language'

/**
 * Refuses a file whose beginning is that of another format than CSV.
 * @param head the first bytes as received
 * @param text the same bytes decoded, without a byte order mark
 * @throws FileError with one of the `not-csv-…` codes
 */
export async function refuseOtherFormats(head: Uint8Array, text: string): Promise<void> {
  const format = (await findBinaryFormat(head)) ?? findTextFormat(text.slice(0, 8_192))
  if (format) throw insteadOfCsv(format)
}

/** The error for a web page without a table that can be read. */
export const webPage = (): FileError => insteadOfCsv(WEB_PAGE)

function insteadOfCsv([code, what]: OtherFormat): FileError {
  return new FileError(code, `The file is ${what} instead of a CSV file or a workbook.`)
}

/** Whether a table of one column was sent as `text/html`; wider ones are CSV with a wrong type. */
export function isWebText(columns: string[], mediaType: string): boolean {
  return columns.length === 1 && mediaType === 'text/html'
}

/** The error for text that was read as a table of one column. */
export function textInsteadOfTable([column = '']: string[]): FileError {
  const start = column.length > 60 ? `${column.slice(0, 60).toWellFormed()} …` : column
  return new FileError(
    'not-csv-text',
    `The file is a text instead of a table: its only column is “${start}”.`,
  )
}

const WEB_PAGE: OtherFormat = ['not-csv-html', 'a web page (HTML)']

function findTextFormat(text: string): OtherFormat | undefined {
  if (findMarkup(text)?.isHtml) return WEB_PAGE
  // What Excel calls a single file web page.
  if (/^\s*mime-version:/i.test(text)) return ['not-csv-html', 'a web page with its files (MHTML)']
  if (/^(?:\0{3}[^\0]|[^\0]\0{3}){4}/.test(text)) return ['not-csv-binary', 'a text in UTF-32']
  const line = findDrawnLine(text)
  if (line !== undefined) {
    return ['not-csv-text', `a table drawn for people, with lines such as “${line}”,`]
  }
  const language = findOtherLanguage(text)
  if (language !== undefined) return ['not-csv-text', language]
  return hasManyControls(text) ? ['not-csv-binary', 'a file that is not text'] : undefined
}

/** NUL characters do not count: some programs pad text with them. */
function hasManyControls(text: string): boolean {
  const controls = text
    .match(/\p{Cc}/gu)
    ?.filter((control) => !'\0\t\n\v\f\r\u001A'.includes(control))
  return (controls?.length ?? 0) > text.length * 0.02
}
