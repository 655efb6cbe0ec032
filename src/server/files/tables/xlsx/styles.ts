import type { ArchiveEntry } from '../archive'
import { damagedWorkbook, workbookTooLarge } from '../workbook'
import { type NumberFormat, PLAIN, builtInFormat, parseNumberFormat } from './number-format'
import type { Package } from './package'

/** Finds the number format of a cell by the number of its style. */
export type Styles = (style: number) => NumberFormat

const MAX_STYLES = 200_000
const MAX_FORMATS = 20_000
const MAX_FORMAT_CHARACTERS = 1_000

export async function readStyles(parts: Package, entry: ArchiveEntry | undefined): Promise<Styles> {
  if (!entry) return () => PLAIN
  const formats = new Map<number, NumberFormat>()
  const formatIds: number[] = []
  let section = ''
  await parts.readXml(entry, {
    open(name, attributes, depth) {
      if (depth === 2) section = name
      if (depth !== 3) return
      if (section === 'numFmts' && name === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributes
        if (formats.size >= MAX_FORMATS) throw workbookTooLarge('too many number formats')
        if (formatCode.length > MAX_FORMAT_CHARACTERS) {
          throw damagedWorkbook('one of its number formats is too long')
        }
        formats.set(Number(numFmtId), parseNumberFormat(formatCode))
      } else if (section === 'cellXfs' && name === 'xf') {
        if (formatIds.length >= MAX_STYLES) throw workbookTooLarge('too many cell styles')
        formatIds.push(Number(attributes.numFmtId ?? 0))
      }
    },
    close: () => undefined,
  })
  const styles = formatIds.map((id) => formats.get(id) ?? builtInFormat(id))
  return (style) => styles[style] ?? PLAIN
}
