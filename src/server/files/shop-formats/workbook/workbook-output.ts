import { createByteOutput } from '../../byte-output'
import type { RowOutput, RowTarget, Write } from '../row-target'
import { createSheetText, createWidths, MAX_SHEET_ROWS } from './sheet-text'
import {
  firstParts,
  lastParts,
  sheetEnd,
  sheetPath,
  sheetStart,
  type WrittenSheet,
} from './workbook-parts'
import { createZipOutput, type ZipOutput } from './zip-output'

/** The rows that decide how wide columns are. They are kept until then, if they are not large. */
const MEASURED_ROWS = 100
const MEASURED_CHARACTERS = 1024 * 1024

const CUT = 'A cell was longer than Excel allows and was cut at 32,767 characters.'

/**
 * Writes rows as an Excel workbook, in constant memory: the text of sheets, which is collected here and
 * compressed when it is passed on. A sheet that is full is followed by another with the same header.
 * @param maxRows of a sheet, with its header
 */
export function createWorkbookOutput(maxRows = MAX_SHEET_ROWS): RowOutput {
  const text = createByteOutput()
  const sheets: WrittenSheet[] = []
  /** Where sheets end in the text that was not passed on. */
  let ends: number[] = []
  let size = 0
  let close = () => {}
  let zip: ZipOutput | undefined

  const start: RowTarget = ({ layout, numbers, log }) => {
    const headers = layout.columns.map(({ header }) => header)
    const columnCount = headers.length
    const sheetText = createSheetText({ headers, numbers, onCut: () => log.add(null, CUT) })
    const widths = createWidths(headers)
    let held: string[] | undefined = []
    let heldCharacters = 0
    let sheet: WrittenSheet

    function begin(): void {
      sheet = { rowCount: 1, columnCount }
      sheets.push(sheet)
      if (held) return
      text.addText(sheetStart(widths.list()))
      text.addText(sheetText.header())
    }
    function release(): void {
      if (!held) return
      text.addText(sheetStart(widths.list()))
      text.addText(sheetText.header())
      for (const row of held) text.addText(row)
      held = undefined
    }
    function end(): void {
      release()
      text.addText(sheetEnd(sheet))
      ends.push(text.pending())
    }

    begin()
    close = end
    return (cells) => {
      if (sheet.rowCount === maxRows) {
        end()
        begin()
      }
      const row = sheetText.row(cells, ++sheet.rowCount)
      for (const cell of cells) size += String(cell).length + 1
      if (!held) {
        text.addText(row)
        return
      }
      held.push(row)
      heldCharacters += row.length
      widths.add(cells)
      if (held.length === MEASURED_ROWS || heldCharacters > MEASURED_CHARACTERS) release()
    }
  }

  let begun = 0
  let isOpen = false
  function open(write: Write): ZipOutput {
    if (zip) return zip
    zip = createZipOutput(write)
    for (const [path, part] of firstParts()) zip.add(path, part)
    return zip
  }

  async function flush(write: Write): Promise<void> {
    if (text.pending() === 0) return
    const archive = open(write)
    const bytes = text.take()
    const passOn = async (piece: Buffer) => {
      if (piece.length === 0) return
      if (!isOpen) archive.begin(sheetPath(++begun))
      isOpen = true
      await archive.write(piece)
    }
    let from = 0
    for (const end of ends) {
      await passOn(bytes.subarray(from, end))
      archive.end()
      isOpen = false
      from = end
    }
    ends = []
    await passOn(bytes.subarray(from))
  }

  return {
    start,
    size: () => size,
    flush,
    async finish(write) {
      close()
      await flush(write)
      const archive = open(write)
      for (const [path, part] of lastParts(sheets)) archive.add(path, part)
      await archive.finish()
    },
  }
}
