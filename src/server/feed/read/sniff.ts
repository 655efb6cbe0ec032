import { FeedError, type FeedErrorCode } from '../feed-error'

type Finding = [code: FeedErrorCode, what: string]

/** The first bytes of binary formats, as Latin-1. */
const SIGNATURES: [string, ...Finding][] = [
  ['\u0089PNG', 'not-csv-image', 'an image (PNG)'],
  ['\u00FF\u00D8\u00FF', 'not-csv-image', 'an image (JPEG)'],
  ['GIF87a', 'not-csv-image', 'an image (GIF)'],
  ['GIF89a', 'not-csv-image', 'an image (GIF)'],
  ['II*\0', 'not-csv-image', 'an image (TIFF)'],
  ['MM\0*', 'not-csv-image', 'an image (TIFF)'],
  ['%PDF-', 'not-csv-pdf', 'a PDF document'],
  ['7z\u00BC\u00AF\u0027\u001C', 'not-csv-archive', 'an archive (7z)'],
  ['Rar!\u001A\u0007', 'not-csv-archive', 'an archive (RAR)'],
  ['\u001F\u008B', 'not-csv-archive', 'an archive (gzip inside gzip)'],
  ['\u00FD7zXZ\0', 'not-csv-archive', 'an archive (xz)'],
  ['\u0028\u00B5\u002F\u00FD', 'not-csv-archive', 'an archive (Zstandard)'],
  ['\u00D0\u00CF\u0011\u00E0', 'not-csv-spreadsheet', 'an Excel workbook (.xls)'],
]

/**
 * Refuses a file whose beginning is that of another format than CSV.
 * @param head the first bytes as received
 * @param text the same bytes decoded, without a byte order mark
 * @throws FeedError with one of the `not-csv-…` codes
 */
export function refuseOtherFormats(head: Uint8Array, text: string): void {
  const finding = findBinaryFormat(head) ?? findTextFormat(text.slice(0, 8_192))
  if (!finding) return
  const [code, what] = finding
  throw new FeedError(code, `The address gave ${what} instead of a CSV file.`)
}

/** Whether a table of one column was sent as `text/html`; wider ones are CSV with a wrong type. */
export function isWebText(columns: string[], mediaType: string): boolean {
  return columns.length === 1 && mediaType === 'text/html'
}

/** The error for text that was read as a table of one column. */
export function textInsteadOfTable([column = '']: string[]): FeedError {
  const start = column.length > 60 ? `${column.slice(0, 60).toWellFormed()} …` : column
  return new FeedError(
    'not-csv-text',
    `The address gave a text instead of a table: its only column is “${start}”.`,
  )
}

function findBinaryFormat(head: Uint8Array): Finding | undefined {
  const latin1 = Buffer.from(head.subarray(0, 4_096)).toString('latin1')
  for (const [signature, code, what] of SIGNATURES) {
    if (latin1.startsWith(signature)) return [code, what]
  }
  if (/^BZh[1-9]1AY&SY/.test(latin1)) return ['not-csv-archive', 'an archive (bzip2)']
  if (latin1.startsWith('RIFF') && latin1.startsWith('WEBP', 8)) {
    return ['not-csv-image', 'an image (WebP)']
  }
  if (latin1.startsWith('PK\u0003\u0004') || latin1.startsWith('PK\u0005\u0006')) {
    return /\[Content_Types\]\.xml|xl\/|_rels\/|mimetypeapplication\/vnd\.oasis/.test(latin1)
      ? ['not-csv-spreadsheet', 'a spreadsheet (.xlsx or .ods)']
      : ['not-csv-archive', 'an archive (zip)']
  }
  return undefined
}

function findTextFormat(text: string): Finding | undefined {
  const start = text.replace(/^(?:\s|<!--[\s\S]*?-->)+/, '')
  if (/^<(?:!doctype\s+html|html|head|body|script|style|meta|title|div|p|h1)\b/i.test(start)) {
    return ['not-csv-html', 'a web page (HTML)']
  }
  if (/^<\?xml\b/i.test(start)) {
    return /<html\b/i.test(start)
      ? ['not-csv-html', 'a web page (HTML)']
      : ['not-csv-xml', 'an XML document']
  }
  // `<SKU>,<NAME>` is a header: a single tag does not make it XML.
  if (/^<[a-z][\w:.-]*(?:\s[^<>]*)?(?:>\s*<|\/>)/i.test(start))
    return ['not-csv-xml', 'an XML document']
  if (/^\{\s*(?:"[^"]*"\s*:|\})/.test(start) || /^\[\s*(?:[{[\]"]|-?\d+\s*[,\]])/.test(start)) {
    return ['not-csv-json', 'JSON data']
  }
  return hasManyControls(text) ? ['not-csv-binary', 'a file that is not text'] : undefined
}

function hasManyControls(text: string): boolean {
  const controls = text
    .match(/\p{Cc}/gu)
    ?.filter((control) => !'\t\n\v\f\r\u001A'.includes(control))
  return (controls?.length ?? 0) > text.length * 0.02
}
