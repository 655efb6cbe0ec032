import { type ProblemLog, createProblemLog } from '../../read/problems'
import { writeCell } from '../csv-cell'
import { type Grid, createGrid } from '../grid'
import { type HiddenColumns, createHiddenColumns } from '../hidden-columns'
import { outOfBounds } from '../row-writer'
import { SHEET_NOTES } from '../sheet-notes'
import type { SheetStore, StoredRows } from '../sheet-store'
import {
  MAX_CELL_CHARACTERS,
  MAX_COLUMNS,
  MAX_ROWS,
  MAX_SHEETS,
  cellTooLong,
  damagedWorkbook,
  workbookTooLarge,
} from '../workbook'
import type { NumberFormat } from '../xlsx/number-format'
import { type XmlAttributes, type XmlHandler, findAttribute } from '../xml-parser'
import { createBookStyles } from './book-styles'
import { type BookCell, cellText } from './cell-text'

/** A sheet of a workbook, as far as it has been read. */
export interface BookSheet {
  name: string
  isHidden: boolean
  stored: StoredRows
  /** The last one with a text. */
  lastRow: number
  isComplete: boolean
  notes: ProblemLog
}

interface BookHandler extends XmlHandler {
  sheets: readonly BookSheet[]
}

/** What stands where below `Workbook`, which has depth 1. */
const DEPTHS = { sheet: 2, table: 3, row: 4, cell: 5, data: 6 }
const MAX_NAME_CHARACTERS = 500
/** Finds the sheets of a workbook, and stores their rows. */
export function createBookHandler(store: SheetStore): BookHandler {
  const sheets: BookSheet[] = []
  const styles = createBookStyles()
  /** A text as it stands in CSV. */
  const written = Buffer.allocUnsafe(4 * MAX_CELL_CHARACTERS)
  let is1904 = false
  let sheet: BookSheet | undefined
  let isInTable = false
  let tableFormat: NumberFormat | undefined
  let columnFormats: (NumberFormat | undefined)[] = []
  let hiddenColumns: HiddenColumns | undefined
  let nextColumn = 0
  /** From 1 on. */
  let row = 0
  let nextRow = 1
  let isRow = false
  let isRowHidden = false
  let rowFormat: NumberFormat | undefined
  let column = -1
  let grid: Grid = createGrid()
  let cell: BookCell | undefined
  /** Whether text is that of the cell, or of the visibility of the sheet. */
  let collects: 'cell' | 'visibility' | undefined
  let visibility = ''

  const formatOf = (attributes: XmlAttributes) => styles.find(findAttribute(attributes, 'StyleID'))

  function openSheet(attributes: XmlAttributes): void {
    if (sheets.length >= MAX_SHEETS) {
      throw workbookTooLarge(`more than ${MAX_SHEETS.toLocaleString('en')} sheets`)
    }
    const name = (findAttribute(attributes, 'Name') ?? '').slice(0, MAX_NAME_CHARACTERS)
    const notes = createProblemLog()
    sheet = { name, isHidden: false, stored: store.begin(), lastRow: 0, isComplete: false, notes }
    sheets.push(sheet)
    tableFormat = undefined
    columnFormats = []
    hiddenColumns = undefined
    nextColumn = 0
    row = 0
    nextRow = 1
    grid = createGrid()
  }

  function closeSheet(): void {
    if (!sheet) return
    sheet.stored.end()
    sheet.isComplete = true
    hiddenColumns?.report(sheet.stored.width(), sheet.notes)
    sheet = undefined
  }

  function openColumn(attributes: XmlAttributes): void {
    const first = indexOf(attributes, nextColumn + 1) - 1
    if (first < nextColumn) throw outOfBounds()
    nextColumn = first + 1 + numberOf(attributes, 'Span')
    if (nextColumn > MAX_COLUMNS) throw outOfBounds()
    if (isTrue(findAttribute(attributes, 'Hidden'))) {
      hiddenColumns ??= createHiddenColumns()
      hiddenColumns.add(first, nextColumn - 1)
    }
    const format = formatOf(attributes)
    if (format) for (let at = first; at < nextColumn; at++) columnFormats[at] = format
  }

  function openRow(attributes: XmlAttributes): void {
    const next = indexOf(attributes, nextRow)
    if (next < nextRow) throw outOfOrder(row)
    grid.nextRow(next - row)
    row = next
    nextRow = row + 1 + numberOf(attributes, 'Span')
    if (nextRow > MAX_ROWS + 1) throw outOfBounds()
    isRow = true
    isRowHidden = isTrue(findAttribute(attributes, 'Hidden'))
    rowFormat = formatOf(attributes)
  }

  function openCell(attributes: XmlAttributes): void {
    const columns = 1 + numberOf(attributes, 'MergeAcross')
    const rows = 1 + numberOf(attributes, 'MergeDown')
    const given = findAttribute(attributes, 'Index')
    const at = given === undefined ? undefined : indexOf(attributes, 1) - 1
    if (at !== undefined && at < grid.width()) throw outOfOrder(row)
    // Excel gives an index behind cells that are merged down; LibreOffice does not.
    column = grid.place(columns, rows, at)
    const format = formatOf(attributes) ?? rowFormat ?? columnFormats[column] ?? tableFormat
    const hasFormula = findAttribute(attributes, 'Formula') !== undefined
    cell = { type: '', value: '', hasFormula, format }
  }

  function closeCell(target: BookSheet, closed: BookCell): void {
    cell = undefined
    if (closed.value === '') {
      // A text may be empty.
      if (closed.hasFormula && closed.type !== 'String') target.notes.add(row, SHEET_NOTES.formulas)
      return
    }
    if (isRowHidden) target.notes.add(row, SHEET_NOTES.hiddenRows)
    isRowHidden = false
    const text = cellText(closed, is1904, row, target.notes)
    target.stored.cell(row, column, written, 0, writeCell(text, written, 0))
    target.lastRow = row
  }

  return {
    sheets,
    open(name, attributes, depth) {
      if (depth === DEPTHS.sheet && name === 'Worksheet') openSheet(attributes)
      else if (!sheet) {
        styles.open(name, attributes)
        if (name === 'Date1904') is1904 = true
      } else if (depth === DEPTHS.table) {
        isInTable = name === 'Table'
        if (isInTable) tableFormat = formatOf(attributes)
      } else if (!isInTable) {
        if (name === 'Visible') {
          collects = 'visibility'
          visibility = ''
        } else if (name === 'AutoFilterColumn') sheet.notes.add(null, SHEET_NOTES.filter)
      } else if (depth === DEPTHS.row) {
        if (name === 'Row') openRow(attributes)
        else if (name === 'Column') openColumn(attributes)
      } else if (depth === DEPTHS.cell && isRow && name === 'Cell') openCell(attributes)
      else if (depth === DEPTHS.data && cell && name === 'Data') {
        cell.type = findAttribute(attributes, 'Type') ?? ''
        collects = 'cell'
      }
    },
    close(_name, depth) {
      if (depth === DEPTHS.data) collects = undefined
      else if (depth === DEPTHS.cell) {
        if (sheet && cell) closeCell(sheet, cell)
      } else if (depth === DEPTHS.row) {
        isRow = false
        if (sheet && collects === 'visibility') sheet.isHidden = visibility.includes('Hidden')
        collects = undefined
      } else if (depth === DEPTHS.table) isInTable = false
      else if (depth === DEPTHS.sheet) closeSheet()
    },
    text(text) {
      if (collects === 'cell' && cell) {
        cell.value += text
        if (cell.value.length > MAX_CELL_CHARACTERS) throw cellTooLong(row)
      } else if (collects === 'visibility' && visibility.length < MAX_NAME_CHARACTERS) {
        visibility += text
      }
    },
  }
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'

/** A place from 1 on, which is that after the one before if it is not given. */
function indexOf(attributes: XmlAttributes, implied: number): number {
  const text = findAttribute(attributes, 'Index')
  const index = text === undefined ? implied : Number(text)
  if (!Number.isInteger(index) || index < 1) throw outOfBounds()
  return index
}

function numberOf(attributes: XmlAttributes, name: string): number {
  const number = Number(findAttribute(attributes, name) ?? 0)
  return Number.isInteger(number) && number > 0 ? Math.min(number, MAX_ROWS) : 0
}

function outOfOrder(row: number) {
  return damagedWorkbook(`its rows or cells are not in their order near row ${row}`)
}
