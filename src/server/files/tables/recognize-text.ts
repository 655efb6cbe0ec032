import type { DocumentForm } from '../../../shared/table-forms'
import { peek } from '../fetch/body-limits'
import { FileError } from '../file-error'
import { findMarkup } from '../read/dialect/markup'
import { OPEN_DOCUMENT, unsupported } from './recognize'
import { HEAD_BYTES } from './records/document-source'
import { createJsonParser } from './records/json-parser'
import { findUtf16 } from './text-decoder'

/** Workbooks that are texts. */
export type TextForm = 'html' | 'spreadsheetml' | 'fods'

/** What a source is that is neither an archive nor an old workbook. */
export interface RecognizedText {
  /** null for CSV, and for what is refused later. */
  form: TextForm | DocumentForm | null
  /** What has been looked at. */
  head: Buffer
  /** All of it. */
  all: AsyncGenerator<Buffer>
}

/** As many bytes as the first element of an OpenDocument spreadsheet has, with all the names in it. */
export const TEXT_HEAD_BYTES = 16 * 1024
const EXCEL_2003 = 'urn:schemas-microsoft-com:office:spreadsheet'

/**
 * Looks at the beginning of a source; at no more of CSV than its first bytes, for which nobody has to wait.
 * @param start the first bytes of the body
 * @throws FileError `workbook-unsupported` for an OpenDocument text or drawing
 */
export async function recognizeText(
  start: Buffer,
  body: AsyncGenerator<Buffer>,
): Promise<RecognizedText> {
  if (!mayBeDocument(start)) return { form: null, head: start, all: body }
  const { head, all } = await peek(body, HEAD_BYTES)
  const text = decode(head.subarray(0, TEXT_HEAD_BYTES))
  return { form: textFormOf(text) ?? documentFormOf(text, head), head, all }
}

/** Whether the first bytes have a bracket, after blanks and a byte order mark. */
const mayBeDocument = (start: Buffer): boolean => /^[<{[]|^$/.test(decode(start))

/** Which workbook a text is, by its first element. */
function textFormOf(text: string): TextForm | null {
  const markup = findMarkup(text)
  if (!markup) return null
  if (markup.isHtml) return 'html'
  const name = markup.element.replace(/^.*:/, '')
  if (name === 'workbook' && markup.rest.includes(EXCEL_2003)) return 'spreadsheetml'
  const type = name === 'document' ? markup.rest.split(OPEN_DOCUMENT, 2)[1] : undefined
  if (type === undefined) return null
  if (type.startsWith('spreadsheet')) return 'fods'
  throw unsupported('an OpenDocument text or drawing')
}

/** The first tag of XML; behind one that is the name of a column there is a delimiter. */
const FIRST_TAG =
  /^<[\p{L}_][\p{L}\p{N}_:.-]{0,200}(?:\s[^<>"']{0,200}(?:"[^"<]{0,2000}"|'[^'<]{0,2000}')[^<>"']{0,200}){0,50}>\s{0,99}[^\s,;|]/u

/** Comments and instructions before the first tag; those of PHP are a program. */
const PROLOG = /^(?:\s|<!--[\s\S]*?-->|<\?(?!xml\b|php\b)[\s\S]*?\?>)+/i

/** What kind of document a text is; null for any other text, which may be CSV: `<SKU>,<NAME>` is a header. */
function documentFormOf(text: string, head: Buffer): DocumentForm | null {
  const start = text.replace(PROLOG, '')
  if (/^<(?:\?xml\b|!doctype\s)/i.test(start)) return 'xml'
  // A single tag does not make it XML.
  if (/^<[\p{L}_][\p{L}\p{N}_:.-]*(?:\s[^<>]*)?(?:>\s*<|\/>)/u.test(start)) return 'xml'
  if (FIRST_TAG.test(start) && start.includes('</')) return 'xml'
  const isJson =
    /^\{\s*(?:"[^"]*"\s*:|\})/.test(start) ||
    /^\[\s*(?:[{[\]"]|(?:null|true|false|-?\d[\d.eE+-]{0,40})\s*[,\]])/.test(start)
  if (!isJson) return null
  return areLines(decode(head)) ? 'ndjson' : 'json'
}

/** Whether the first line is a document by itself and another one begins in the next, or several objects follow. */
function areLines(text: string): boolean {
  if (text.startsWith('{')) return hasSeveralObjects(text)
  const end = text.indexOf('\n')
  if (end < 0 || !/^\s*[{[]/.test(text.slice(end))) return false
  try {
    JSON.parse(text.slice(0, end))
    return true
  } catch {
    return false
  }
}

function hasSeveralObjects(text: string): boolean {
  let objects = 0
  let depth = 0
  const ignore = () => undefined
  const handler = {
    openObject() {
      if (depth++ === 0) objects++
    },
    closeObject() {
      depth--
    },
    openArray: ignore,
    closeArray: ignore,
    key: ignore,
    string: ignore,
    scalar: ignore,
  }
  const noJson = () => new FileError('document-damaged', 'The text is no JSON.')
  try {
    createJsonParser(handler, { damaged: noJson, truncated: noJson }, Infinity).write(text)
  } catch (error) {
    // What is damaged is told when it is read.
    if (!(error instanceof FileError)) throw error
  }
  return objects > 1
}

/** What is enough of a text to be recognized, in its encoding if it is UTF-16, from its first character on. */
function decode(bytes: Buffer): string {
  const encoding = findUtf16(bytes)
  const text =
    encoding === undefined ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes)
  return text.replace(/^[\s\uFEFF]+/, '')
}
