import type { ArchiveEntry } from '../archive'
import { type WorkbookOptions, damagedWorkbook } from '../workbook'
import { type Package, damagedPart } from './package'
import { type PackedTexts, createPackedTexts } from './packed-texts'
import { createSharedItems } from './shared-items'
import { createTextLoader, type TextLoader } from './text-loader'

/** The texts that cells name by number. They are read as far as they are needed. */
export interface SharedTexts extends TextLoader, Pick<PackedTexts, 'isSpilled'> {
  /** @throws FileError also if there is no text with this number */
  readTo(index: number): Promise<void>
  /** Reads to the end, where the checksum of what was read is known; no other texts can be read then. */
  check(): Promise<void>
}

export function openSharedTexts(
  parts: Package,
  entry: ArchiveEntry | undefined,
  options: WorkbookOptions,
): SharedTexts {
  const texts = createPackedTexts(options)
  const chunks = entry && parts.read(entry)
  const items = entry && createSharedItems(texts, damagedPart(entry))
  return {
    ...createTextLoader(texts),
    isSpilled: texts.isSpilled,
    async readTo(index) {
      while (texts.count() <= index) {
        const next = await chunks?.next()
        if (next && !next.done) items?.write(next.value)
        else {
          items?.end()
          if (texts.count() <= index) throw missingText()
        }
        await texts.spill()
      }
    },
    async check() {
      if (texts.count() === 0) return
      let rest = await chunks?.next()
      while (rest && !rest.done) rest = await chunks?.next()
    },
  }
}

function missingText() {
  return damagedWorkbook('a cell refers to a text that it does not have')
}
