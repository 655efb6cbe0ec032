import type { Archive, ArchiveEntry } from './archive'
import { readFirstChunk } from './table-rows'
import { type Sheet, type Workbook, type WorkbookOptions, damagedWorkbook } from './workbook'
import type { CellContext } from './xlsx/cell-context'
import { openPackage, pathOf } from './xlsx/package'
import { openSharedTexts } from './xlsx/shared-texts'
import { openSheetRows } from './xlsx/sheet-rows'
import { UNKNOWN_SIZE, readSize } from './xlsx/sheet-size'
import { readStyles } from './xlsx/styles'
import { findWorkbook, readWorkbook } from './xlsx/workbook-part'

/** Sheets whose size is looked up. */
const MAX_MEASURED = 100

/**
 * Opens an Excel workbook (`.xlsx`, `.xlsm`, and what other programs write in this form).
 * @throws FileError
 */
export async function openXlsx(archive: Archive, options: WorkbookOptions): Promise<Workbook> {
  const parts = openPackage(archive)
  const workbook = await findWorkbook(parts)
  const relations = await parts.relations(workbook.path)
  const byId = new Map(relations.map((relation) => [relation.id, relation]))
  const { listed, is1904, isUncalculated } = await readWorkbook(parts, workbook)
  const sheets = new Map<Sheet, ArchiveEntry>()
  /** Each part once: a thousand sheets of one would take a thousand times as long as the part. */
  const read = new Set<ArchiveEntry>()
  for (const { name, isHidden, relationId } of listed) {
    const relation = byId.get(relationId)
    // Charts, dialogs and macros are sheets too.
    if (relation && relation.type !== 'worksheet') continue
    const entry = relation && parts.find(relation.path)
    if (!entry) throw damagedWorkbook(`its sheet “${name.slice(0, 100)}” is missing`)
    if (read.has(entry)) throw damagedWorkbook('two of its sheets are the same part')
    read.add(entry)
    const size = sheets.size < MAX_MEASURED ? await readSize(parts, entry) : UNKNOWN_SIZE
    sheets.set({ name, isHidden, ...size }, entry)
  }
  const context: CellContext = {
    parts,
    is1904,
    isUncalculated,
    styles: await readStyles(parts, parts.find(pathOf(relations, 'styles'))),
    texts: openSharedTexts(parts, parts.find(pathOf(relations, 'sharedStrings')), options),
  }
  function open(sheet: Sheet) {
    const entry = sheets.get(sheet)
    if (!entry) throw new Error('The sheet is of another workbook')
    return openSheetRows(entry, context, options)
  }
  return {
    check: context.texts.check,
    sheets: [...sheets.keys()],
    open,
    readHead: (sheet) => readFirstChunk(open(sheet)),
  }
}
