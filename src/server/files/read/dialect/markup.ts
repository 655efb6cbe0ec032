/** How a document in XML or HTML begins. */
export interface Markup {
  /** The name of its first element in lower case, with its prefix. */
  element: string
  /** Its text from there on. */
  rest: string
  isHtml: boolean
}

/** What may stand before the first element. */
const PROLOG = /^(?:\s|<!--[\s\S]*?-->|<\?[\s\S]*?\?>)+/
const ELEMENT = /^<([a-z][\w:.-]*)(?=[\s/>])/i
/** With which documents begin, or parts of them that programs write alone. */
const HTML_ELEMENTS = new Set(
  'html head body script style meta title div p h1 h2 h3 center font br table'.split(' '),
)
/** Rows without a table, as SQLite writes them. */
const ROW = /^<tr(?:\s[^<>]*)?>\s*<t[dh]\b/i
const TABLE_PARTS = /<(?:tr|td|th|thead|tbody|caption|col|colgroup)\b/i

/**
 * Looks at the first element of a text.
 * @param text without a byte order mark
 * @returns undefined for a text that begins with none
 */
export function findMarkup(text: string): Markup | undefined {
  const start = text.replace(PROLOG, '')
  if (/^<!doctype\s+html\b/i.test(start)) return { element: 'html', rest: start, isHtml: true }
  const element = ELEMENT.exec(start)?.[1]?.toLowerCase()
  if (element === undefined) return undefined
  const isXml = /^\s*<\?xml\b/i.test(text)
  const isHtml = isXml ? element === 'html' : HTML_ELEMENTS.has(element) || ROW.test(start)
  // The same word is a name in many documents in XML.
  const isOther = element === 'table' && !TABLE_PARTS.test(start)
  return { element, rest: start, isHtml: isHtml && !isOther }
}
