import type { ProblemLog } from '../../read/problems'
import type { HiddenColumns } from '../hidden-columns'
import { outOfBounds } from '../row-writer'
import { SHEET_NOTES } from '../sheet-notes'
import { MAX_COLUMNS, MAX_ROWS, workbookTooLarge } from '../workbook'
import { type XmlAttributes, type XmlHandler, findAttribute } from '../xml-parser'
import { type CellValue, openValue, valueText } from './cell-value'
import { isSheet } from './ods-sheets'
import type { OdsStyles } from './ods-styles'
import { createParagraphs } from './paragraphs'

/** A row that has cells, or several that are alike. */
export interface OdsRow {
  row: number
  repeats: number
  cells: OdsCell[]
}

interface OdsCell {
  column: number
  repeats: number
  text: string
}

interface OdsHandler extends XmlHandler {
  /** The rows that have ended since the last call. */
  takeRows(): OdsRow[]
  /** Whether the sheet has ended. */
  isDone(): boolean
}

/** A record of CSV cannot have more either. */
const MAX_ROW_CHARACTERS = 4 * 1024 * 1024

/** Finds the rows of the sheet with this number. */
export function createOdsHandler(
  wanted: number,
  styles: OdsStyles,
  hiddenColumns: HiddenColumns,
  notes: ProblemLog,
): OdsHandler {
  let rows: OdsRow[] = []
  let sheet = -1
  let isDone = false
  let columns = 0
  /** The columns whose style shows leading zeros where a cell has none of its own. */
  const paddedColumns = new Uint8Array(MAX_COLUMNS)
  let nextRow = 1
  let current: OdsRow | undefined
  let characters = 0
  let visibility: string | undefined
  let hasFilter = false
  let nextColumn = 0
  /** The depth of the open cell; 0 outside of cells. */
  let cellDepth = 0
  let value: CellValue | undefined
  let columnRepeats = 1
  const paragraphs = createParagraphs()

  function openColumn(attributes: XmlAttributes): void {
    const repeats = repeatsOf(attributes, 'number-columns-repeated')
    if (isHidden(findAttribute(attributes, 'visibility'))) {
      hiddenColumns.add(columns, columns + repeats - 1)
    }
    const isPadded = styles.isPadded(findAttribute(attributes, 'default-cell-style-name') ?? '')
    if (isPadded) paddedColumns.fill(1, columns, columns + repeats)
    columns += repeats
  }

  function openRow(attributes: XmlAttributes): void {
    const repeats = repeatsOf(attributes, 'number-rows-repeated')
    current = { row: nextRow, repeats, cells: [] }
    visibility = findAttribute(attributes, 'visibility')
    nextColumn = 0
    characters = 0
  }

  function closeRow({ row, repeats, cells }: OdsRow): void {
    nextRow = row + repeats
    current = undefined
    if (cells.length === 0) return
    if (nextRow > MAX_ROWS + 1) throw outOfBounds()
    rows.push({ row, repeats, cells })
    if (!isHidden(visibility)) return
    notes.add(row, SHEET_NOTES.hiddenRows, { count: repeats })
    if (visibility === 'filter' && !hasFilter) {
      hasFilter = true
      notes.add(null, SHEET_NOTES.filter)
    }
  }

  function openCell(name: string, attributes: XmlAttributes, depth: number): void {
    cellDepth = depth
    columnRepeats = repeatsOf(attributes, 'number-columns-repeated')
    // What is below a merged cell is not seen.
    const isPadded = (style: string | undefined) =>
      style === undefined ? paddedColumns[nextColumn] === 1 : styles.isPadded(style)
    value = name === 'table-cell' ? openValue(attributes, isPadded) : undefined
    paragraphs.start()
  }

  function closeCell({ row, cells }: OdsRow): void {
    const text = value ? valueText(value, paragraphs.take(), row, notes) : ''
    if (text !== '') {
      if (nextColumn + columnRepeats > MAX_COLUMNS) throw outOfBounds()
      characters += text.length * columnRepeats
      if (characters > MAX_ROW_CHARACTERS) throw workbookTooLarge('a row with too much text')
      cells.push({ column: nextColumn, repeats: columnRepeats, text })
    }
    nextColumn += columnRepeats
    cellDepth = 0
  }

  return {
    open(name, attributes, depth) {
      if (isSheet(name, depth)) sheet++
      else if (sheet !== wanted || isDone) return
      else if (cellDepth > 0) paragraphs.open(name, attributes, depth - cellDepth, nextRow)
      else if (name === 'table-column') openColumn(attributes)
      else if (name === 'table-row') openRow(attributes)
      else if (current && (name === 'table-cell' || name === 'covered-table-cell')) {
        openCell(name, attributes, depth)
      }
    },
    close(name, depth) {
      if (sheet !== wanted || isDone) return
      if (isSheet(name, depth)) isDone = true
      else if (depth === cellDepth) closeCell(current as OdsRow)
      else if (cellDepth > 0) paragraphs.close(depth - cellDepth)
      else if (name === 'table-row' && current) closeRow(current)
    },
    text(text) {
      if (cellDepth > 0 && current) paragraphs.add(text, current.row)
    },
    takeRows() {
      const taken = rows
      rows = []
      return taken
    },
    isDone: () => isDone,
  }
}

const isHidden = (visibility: string | undefined): boolean =>
  visibility === 'collapse' || visibility === 'filter'

/** More than a sheet has is as good as any number beyond it. */
const MOST_REPEATS = 2 * MAX_ROWS

function repeatsOf(attributes: XmlAttributes, name: string): number {
  const repeats = Number(findAttribute(attributes, name) ?? 1)
  return Number.isInteger(repeats) && repeats >= 1 ? Math.min(repeats, MOST_REPEATS) : 1
}
