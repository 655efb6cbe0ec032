import { FileError } from '../file-error'
import type { Archive } from './archive'
import { openPackage, readContentTypes } from './xlsx/package'
import { isWorkbookType } from './xlsx/workbook-part'

export const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.'
const MAX_TYPE_BYTES = 200

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

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk.toString('latin1')
  return text
}

export function unsupported(what: string): FileError {
  return new FileError(
    'workbook-unsupported',
    `The file is ${what}, which is not read here. Save or export the table as an Excel workbook (.xlsx) or as CSV.`,
  )
}
