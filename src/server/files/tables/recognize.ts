import { peek } from '../fetch/body-limits'
import { FileError } from '../file-error'
import { findMarkup } from '../read/dialect/markup'
import { createDecoder } from '../read/encoding/decode'
import { detectUnicodeHead } from '../read/encoding/encoding'
import { createProblemLog } from '../read/problems'
import type { Archive } from './archive'
import { openPackage, readContentTypes } from './xlsx/package'
import { isWorkbookType } from './xlsx/workbook-part'

/** As many bytes as the first element of an OpenDocument spreadsheet has, with all the names in it. */
export const TEXT_HEAD_BYTES = 8 * 1024
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
const MAX_TYPE_BYTES = 200
const EXCEL_2003 = 'urn:schemas-microsoft-com:office:spreadsheet'

/**
 * Which workbook an archive is, by its content; null for an archive of any files.
 * @throws FileError `workbook-unsupported` for a document of another kind, with what to do
 */
export async function workbookFormOf(archive: Archive): Promise<'xlsx' | 'ods' | null> {
  const parts = openPackage(archive)
  if (parts.find('[Content_Types].xml')) {
    const types = [...(await readContentTypes(parts)).values()]
    if (types.some(isWorkbookType) || parts.find('xl/workbook.xml')) return 'xlsx'
    const isBinary =
      parts.find('xl/workbook.bin') ?? types.find((type) => type.includes('ms-excel'))
    throw isBinary
      ? unsupported('a binary Excel workbook (.xlsb)')
      : unsupported('an Office document')
  }
  if (parts.find('xl/workbook.xml')) return 'xlsx'
  const type = parts.find('mimetype')
  if (type && parts.find('content.xml') && type.sizeBytes <= MAX_TYPE_BYTES) {
    const text = await readText(parts.read(type))
    if (text.startsWith(`${OPEN_DOCUMENT}spreadsheet`)) return 'ods'
    if (text.startsWith(OPEN_DOCUMENT)) throw unsupported('an OpenDocument text or drawing')
  }
  if (parts.find('Index/Document.iwa')) throw unsupported('a document of Apple Numbers or Pages')
  return null
}

export type TextForm = 'html' | 'spreadsheetml' | 'fods'

/** What a source is that is neither an archive nor an old workbook. */
interface RecognizedText {
  /** null for CSV, and for what is refused later. */
  form: TextForm | null
  /** All of it, also what has been looked at. */
  all: AsyncIterable<Buffer>
}

/**
 * Looks at the beginning of a source; at no more of CSV than its first bytes, for which nobody has to wait.
 * @param head the first bytes of the body
 * @throws FileError as `workbookFormOf`
 */
export async function recognizeText(
  head: Buffer,
  body: AsyncIterable<Buffer>,
): Promise<RecognizedText> {
  if (!mayBeMarkup(head)) return { form: null, all: body }
  const longer = await peek(body, TEXT_HEAD_BYTES)
  return { form: textFormOf(longer.head), all: longer.all }
}

/** Blanks, byte order marks, and the zeros of UTF-16. */
const BEFORE_TEXT = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff])
const LESS_THAN = 0x3c

function mayBeMarkup(head: Buffer): boolean {
  const first = head.find((byte) => !BEFORE_TEXT.has(byte))
  return first === undefined || first === LESS_THAN
}

/** Which workbook a text is, by its first element. */
function textFormOf(head: Buffer): TextForm | null {
  const markup = findMarkup(decodeHead(head))
  if (!markup) return null
  if (markup.isHtml) return 'html'
  const name = markup.element.replace(/^.*:/, '')
  if (name === 'workbook' && markup.rest.includes(EXCEL_2003)) return 'spreadsheetml'
  const type = name === 'document' ? markup.rest.split(OPEN_DOCUMENT, 2)[1] : undefined
  if (type === undefined) return null
  if (type.startsWith('spreadsheet')) return 'fods'
  throw unsupported('an OpenDocument text or drawing')
}

function decodeHead(head: Buffer): string {
  const bytes = head.subarray(0, TEXT_HEAD_BYTES)
  const encoding = detectUnicodeHead(bytes)
  const text = encoding ? createDecoder(encoding, createProblemLog()).decode(bytes) : bytes
  return text.toString('utf8')
}

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk.toString('latin1')
  return text
}

function unsupported(what: string): FileError {
  return new FileError(
    'workbook-unsupported',
    `The file is ${what}, which is not read here. Save or export the table as an Excel workbook (.xlsx) or as CSV.`,
  )
}
