import type { ProblemLog } from '../../read/problems'
import type { HiddenColumns } from '../hidden-columns'
import { outOfBounds } from '../row-writer'
import { SHEET_NOTES } from '../sheet-notes'
import { MAX_COLUMNS, MAX_ROWS, workbookTooLarge } from '../workbook'
import { type ElementHandler, type XmlAttributes, findAttribute } from '../xml-parser'
import { type CellValue, openValue, valueText } from './cell-value'
import type { ZeroFormat } from './number-formats'
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

export interface OdsHandler extends ElementHandler {
  /** The rows that have ended since the last call. */
  takeRows(): OdsRow[]
}

/** A record of CSV cannot have more either. */
const MAX_ROW_CHARACTERS = 4 * 1024 * 1024

/** Finds the rows of a sheet, of which it is told what is inside. */
export function createOdsHandler(
  styles: OdsStyles,
  hiddenColumns: HiddenColumns,
  notes: ProblemLog,
): OdsHandler {
  let rows: OdsRow[] = []
  let columns = 0
  /** Styles of cells that have none of their own. */
  const columnStyles: (string | undefined)[] = []
  let rowStyle: string | undefined
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
    const style = findAttribute(attributes, 'default-cell-style-name')
    const end = columns + repeats
    for (; columns < Math.min(end, MAX_COLUMNS); columns++) columnStyles[columns] = style
    columns = end
  }

  function openRow(attributes: XmlAttributes): void {
    const repeats = repeatsOf(attributes, 'number-rows-repeated')
    current = { row: nextRow, repeats, cells: [] }
    visibility = findAttribute(attributes, 'visibility')
    rowStyle = findAttribute(attributes, 'default-cell-style-name')
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
    value = name === 'table-cell' ? openValue(attributes) : undefined
    paragraphs.start()
  }

  function findZeros(number: number): ZeroFormat | undefined {
    const style = value?.style ?? rowStyle ?? columnStyles[nextColumn]
    return style === undefined ? undefined : styles.findZeros(style, number)
  }

  function closeCell({ row, cells }: OdsRow): void {
    const place = { row, notes, findZeros }
    const text = value ? valueText(value, paragraphs.take(), place) : ''
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
      if (cellDepth > 0) paragraphs.open(name, attributes, depth - cellDepth, nextRow)
      else if (name === 'table-column') openColumn(attributes)
      else if (name === 'table-row') openRow(attributes)
      else if (current && (name === 'table-cell' || name === 'covered-table-cell')) {
        openCell(name, attributes, depth)
      }
    },
    close(name, depth) {
      if (depth === cellDepth) closeCell(current as OdsRow)
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
