import type { ArchiveEntry } from '../archive'
import type { Sheet } from '../workbook'
import { type XmlAttributes, readXml } from '../xml-parser'
import { type Package, damagedPart } from './package'

type Size = Pick<Sheet, 'rows' | 'columns'>

export const UNKNOWN_SIZE: Size = { rows: null, columns: null }
/** The size stands at the beginning of a sheet. */
const MAX_HEAD_BYTES = 128 * 1024

/** Reads what a sheet declares of its size, at its beginning. */
export async function readSize(parts: Package, entry: ArchiveEntry): Promise<Size> {
  let size = UNKNOWN_SIZE
  let isDone = false
  let bytes = 0
  async function* head(): AsyncGenerator<Buffer> {
    for await (const chunk of parts.read(entry)) {
      bytes += chunk.length
      yield chunk
    }
  }
  const handler = {
    open(name: string, attributes: XmlAttributes) {
      if (isDone) return
      if (name === 'dimension') size = parseSize(attributes.ref ?? '')
      isDone = name === 'dimension' || name === 'sheetData'
    },
    close: () => undefined,
  }
  await readXml(head(), handler, damagedPart(entry), () => isDone || bytes >= MAX_HEAD_BYTES)
  return size
}

/** Programs that do not know the size write a single cell. */
function parseSize(reference: string): Size {
  const [, firstColumn = '', firstRow, lastColumn = '', lastRow] =
    /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(reference) ?? []
  const rows = Number(lastRow) - Number(firstRow) + 1
  const columns = columnNumber(lastColumn) - columnNumber(firstColumn) + 1
  return rows > 0 && columns > 0 ? { rows, columns } : UNKNOWN_SIZE
}

function columnNumber(letters: string): number {
  let number = 0
  for (let at = 0; at < letters.length; at++) number = 26 * number + letters.charCodeAt(at) - 64
  return number
}
