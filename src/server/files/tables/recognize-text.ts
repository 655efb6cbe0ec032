import type { DocumentForm } from './records/document-errors'
import { findUtf16 } from './text-decoder'

/** The beginning of a text in which it is recognized. */
const SAMPLE_BYTES = 16 * 1024

/**
 * Whether the first bytes may be those of a document, of which more is needed to be sure: with a bracket, after
 * blanks and a byte order mark.
 */
export const mayBeDocument = (head: Buffer): boolean =>
  /^[<{[]|^$/.test(withoutBlanks(decode(head)))

/**
 * What kind of document a text is, by its content; null for any other text, which may be CSV: `<SKU>,<NAME>` is a
 * header.
 * @param head as much of it as is there, at least one line if there is one
 */
export function recognizeText(head: Buffer): DocumentForm | null {
  const start = withoutComments(withoutBlanks(decode(head.subarray(0, SAMPLE_BYTES))))
  if (isWebPage(start)) return null
  if (/^<(?:\?xml\b|!doctype\s)/i.test(start)) return 'xml'
  // A single tag does not make it XML.
  if (/^<[\p{L}_][\p{L}\p{N}_:.-]*(?:\s[^<>]*)?(?:>\s*<|\/>)/u.test(start)) return 'xml'
  const isJson =
    /^\{\s*(?:"[^"]*"\s*:|\})/.test(start) || /^\[\s*(?:[{[\]"]|-?\d+\s*[,\]])/.test(start)
  if (!isJson) return null
  return areLines(withoutBlanks(decode(head))) ? 'ndjson' : 'json'
}

/** Whether a text is a web page. */
export const isWebPage = (text: string): boolean =>
  /^<(?:!doctype\s+html|html|head|body|script|style|meta|title|div|p|h1)\b/i.test(
    withoutComments(text),
  )

/** Whether the first line is a document by itself, and another one begins in the next. */
function areLines(text: string): boolean {
  const end = text.indexOf('\n')
  if (end < 0 || !/^[{[]/.test(withoutBlanks(text.slice(end)))) return false
  try {
    JSON.parse(text.slice(0, end))
    return true
  } catch {
    return false
  }
}

/** What is enough of a text to be recognized, in its encoding if it is UTF-16. */
function decode(bytes: Buffer): string {
  const encoding = findUtf16(bytes)
  if (encoding === undefined) return bytes.toString('utf8')
  return new TextDecoder(encoding).decode(bytes)
}

const withoutBlanks = (text: string) => text.replace(/^[\s\uFEFF]+/, '')

const withoutComments = (text: string) => text.replace(/^(?:\s|<!--[\s\S]*?-->)+/, '')
