import type { Archive, ArchiveEntry } from './archive'
import { openOdsRows } from './ods/ods-rows'
import { readOdsSheets } from './ods/ods-sheets'
import { createOdsStyles } from './ods/ods-styles'
import {
  type Sheet,
  type Workbook,
  type WorkbookLimits,
  damagedWorkbook,
  encryptedWorkbook,
} from './workbook'
import { readXml } from './xml-parser'

/**
 * Opens an OpenDocument spreadsheet (`.ods`). All of its sheets are in one part, which is read once to list them with
 * their first rows, and again for each sheet that is read.
 * @throws FileError
 */
export async function openOds(archive: Archive, limits: WorkbookLimits): Promise<Workbook> {
  const find = (path: string) => archive.entries.find((entry) => entry.path === path)
  const content = find('content.xml')
  if (!content) throw damagedWorkbook('its part “content.xml” is missing')
  await refuseEncrypted(archive, find('META-INF/manifest.xml'))
  const styles = createOdsStyles()
  const stylesPart = find('styles.xml')
  if (stylesPart) {
    await readXml(archive.read(stylesPart), styles.named, damagedWorkbook)
  }
  const listed = await readOdsSheets(archive, content, styles)
  const indexOf = (sheet: Sheet) => {
    const index = listed.findIndex((one) => one.sheet === sheet)
    if (index < 0) throw new Error('The sheet is of another workbook')
    return index
  }
  return {
    sheets: listed.map(({ sheet }) => sheet),
    // All of the content was read for the list of sheets.
    check: async () => undefined,
    open: (sheet) => openOdsRows({ archive, content, styles }, indexOf(sheet), limits),
    async readHead(sheet) {
      const head = listed[indexOf(sheet)]?.head
      if (head && 'failure' in head) throw head.failure
      return head?.chunk
    },
  }
}

async function refuseEncrypted(
  archive: Archive,
  manifest: ArchiveEntry | undefined,
): Promise<void> {
  if (!manifest) return
  const handler = {
    open(name: string) {
      if (name === 'encryption-data' || name === 'encrypted-key') throw encryptedWorkbook()
    },
    close: () => undefined,
  }
  await readXml(withoutDoctype(archive.read(manifest)), handler, damagedWorkbook)
}

/** Manifests of old programs have a document type; nothing else of an OpenDocument file may. */
async function* withoutDoctype(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst) yield* cutDoctype(chunk)
    else yield chunk
    isFirst = false
  }
}

/** What stands before and after a document type without declarations of its own. */
function cutDoctype(chunk: Buffer): Buffer[] {
  const start = chunk.indexOf('<!DOCTYPE')
  const end = start < 0 ? -1 : chunk.indexOf('>', start)
  if (end < 0 || chunk.subarray(start, end).includes('[')) return [chunk]
  return [chunk.subarray(0, start), chunk.subarray(end + 1)]
}
