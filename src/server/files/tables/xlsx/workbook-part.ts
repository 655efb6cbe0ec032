import type { ArchiveEntry } from '../archive'
import { MAX_SHEETS, damagedWorkbook, workbookTooLarge } from '../workbook'
import { findAttribute } from '../xml-parser'
import { type Package, isTrue, pathOf, readContentTypes } from './package'

/** The part of a workbook that lists its sheets. */
interface WorkbookPart {
  listed: ListedSheet[]
  is1904: boolean
  /** Whether the program that wrote it has left the calculation of formulas to others. */
  isUncalculated: boolean
}

interface ListedSheet {
  name: string
  isHidden: boolean
  relationId: string
}

/** Also that of templates, and of workbooks with macros. */
export const isWorkbookType = (type: string): boolean =>
  /(?:spreadsheetml\.(?:sheet|template)|ms-excel\.(?:sheet|template|addin)\.macroEnabled)\.main\+xml$/i.test(
    type,
  )

export async function findWorkbook(parts: Package): Promise<ArchiveEntry> {
  const related = parts.find(pathOf(await parts.relations(''), 'officeDocument'))
  if (related) return related
  for (const [path, type] of await readContentTypes(parts)) {
    const declared = isWorkbookType(type) ? parts.find(path) : undefined
    if (declared) return declared
  }
  throw damagedWorkbook('the list of its sheets is missing')
}

export async function readWorkbook(parts: Package, entry: ArchiveEntry): Promise<WorkbookPart> {
  const part: WorkbookPart = { listed: [], is1904: false, isUncalculated: false }
  await parts.readXml(entry, {
    open(name, attributes, depth) {
      if (depth === 3 && name === 'sheet') {
        if (part.listed.length >= MAX_SHEETS) {
          throw workbookTooLarge(`more than ${MAX_SHEETS.toLocaleString('en')} sheets`)
        }
        const { name: title = '', state } = attributes
        part.listed.push({
          name: title,
          isHidden: state === 'hidden' || state === 'veryHidden',
          // The only attribute with this local name, whatever its prefix.
          relationId: findAttribute(attributes, 'id') ?? '',
        })
      } else if (name === 'workbookPr') part.is1904 = isTrue(attributes.date1904)
      else if (name === 'calcPr') part.isUncalculated = isTrue(attributes.fullCalcOnLoad)
    },
    close: () => undefined,
  })
  return part
}
