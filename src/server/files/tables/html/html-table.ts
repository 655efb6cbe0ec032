import type { ProblemLog } from '../../read/problems'
import { writeCell } from '../csv-cell'
import { createGrid } from '../grid'
import { type HiddenColumns, createHiddenColumns } from '../hidden-columns'
import { SHEET_NOTES } from '../sheet-notes'
import type { SheetStore, StoredRows } from '../sheet-store'
import { MAX_CELL_CHARACTERS, MAX_COLUMNS } from '../workbook'
import type { CellFormats } from './cell-formats'
import { type CellFacts, cellText } from './cell-value'
import type { Attributes } from './html-tags'
import { type ShownText, type TextFacts, createShownText } from './shown-text'
import {
  type FirstRow,
  type HeaderKind,
  MAX_FIRST_CELLS,
  MAX_FIRST_ROWS,
  MAX_NAME_CHARACTERS,
  judgeHeader,
} from './table-header'

/** A table of a document, as far as it has been read. */
export interface HtmlTable {
  /** How many tables of the document begin before it. */
  order: number
  name: string
  isHidden: boolean
  /** The table in whose cell it stands. */
  outer: HtmlTable | undefined
  /** Its rows, and behind them those of its foot, which may come before others in the document. */
  parts: StoredRows[]
  rows: number
  /** Rows with several texts, without those of tables in its cells. */
  wideRows: number
  /** Whether there are such tables. */
  hasTables: boolean
  /** Without those in such tables. */
  links: number
  header: HeaderKind
  isComplete: boolean
  /** A row with a text that is too long to be kept. */
  longRow: number | undefined
  notes: ProblemLog
}

/** Takes the tags of a table. Those that are missing are understood, as by browsers. */
export interface TableBuilder {
  table: HtmlTable
  /** The text of the open cell. */
  text: ShownText
  hasCell(): boolean
  openSection(name: string, attributes?: Attributes): void
  openColumn(attributes: Attributes): void
  openRow(attributes: Attributes): void
  openCell(name: string, attributes: Attributes): void
  closeCell(): void
  closeRow(): void
  addLink(): void
  /** Tells of a table in the open cell that has rows with several texts. */
  addInnerTable(): void
  /** The table with what its rows tell so far. */
  look(): HtmlTable
  close(isComplete: boolean): void
}

/** Rows that are written one below the other. */
interface Part {
  stored: StoredRows | undefined
  row: number
}

interface OpenRow extends Omit<FirstRow, 'width'> {
  cells: string[]
  isHidden: boolean
  isWide: boolean
  texts: number
  /** How many cells it has, however wide. */
  count: number
}

interface OpenCell extends CellFacts {
  column: number
  isName: boolean
  hasTable: boolean
  isHidden: boolean
  /** Whether it spans rows. */
  isMerged: boolean
  /** Whether it spans columns. */
  isWide: boolean
}

const STRUCK = 'Texts that are struck out, such as old prices, were left out beside others'
const RAISED =
  'Raised or lowered digits stand at other digits, as notes do; they were read as a part of the number'
const IMAGES = 'Cells have only an image; its text was read, if it has one'
const MERGED = 'Cells are merged down; their texts are in the first of their rows only'
const MERGED_ACROSS = 'Cells are merged across; their texts are in the first of their columns only'
const OTHER_NAMES =
  'Rows within the table name other columns, or the same ones in another order, which was not followed'
const HIDDEN_CELLS = 'Hidden cells of the table were read too'
const FOOT = 'Rows of the foot of the table, as of totals, were read too'
const CUT_OFF = 'Texts end with “…”: the page may show only a part of them'
const STRUCK_ALONE = 'Cells are struck out as a whole; their texts were read'
const INNER = 'Cells have tables in them, whose texts were read as one text'
const HEADING_ROWS =
  'Rows have one cell across several columns, as headings and links to other pages do; they were kept'

const NO_ATTRIBUTES: Attributes = new Map()
const CUT = /[\p{L}\d](?:…|\.\.\.)$/u
/** As many as a table may have. */
const MAX_SPANNED_ROWS = 65_534
/** Texts are written one after the other. */
const written = Buffer.allocUnsafe(4 * MAX_CELL_CHARACTERS)

export function createTableBuilder(
  table: HtmlTable,
  store: SheetStore,
  formats: CellFormats,
): TableBuilder {
  const text = createShownText(MAX_CELL_CHARACTERS)
  const grid = createGrid()
  const firstRows: FirstRow[] = []
  const body: Part = { stored: undefined, row: 0 }
  const foot: Part = { stored: undefined, row: 0 }
  let part = body
  let isHead = false
  let isSectionHidden = false
  let row: OpenRow | undefined
  let cell: OpenCell | undefined
  let columns = 0
  /** The last row of names before rows of data, and whether there have been such. */
  let names = ''
  let hasData = false
  let hiddenColumns: HiddenColumns | undefined

  function openRow(attributes: Attributes): void {
    closeRow()
    grid.nextRow()
    part.row++
    const isHidden = isSectionHidden || isHiddenBy(attributes) || formats.hides(attributes)
    row = {
      cells: [],
      isHeader: true,
      hasLinks: false,
      isHidden,
      isWide: false,
      texts: 0,
      count: 0,
    }
  }

  function closeRow(): void {
    closeCell()
    if (!row) return
    const { cells, isHeader, hasLinks, isHidden, isWide, texts, count } = row
    if (isWide && !isHeader && table.wideRows > 0 && texts > 1) {
      table.notes.add(part.row, MERGED_ACROSS)
    }
    if (isHeader && texts > 1) {
      if (hasData && cells.join('|') !== names) table.notes.add(part.row, OTHER_NAMES)
      if (!hasData) names = cells.join('|')
    } else if (texts > 1) hasData = true
    if (table.wideRows > 0 && texts === 1 && count === 1 && grid.width() > 1) {
      table.notes.add(part.row, HEADING_ROWS)
    }
    if (texts > 0 && part === foot) table.notes.add(part.row, FOOT)
    if (texts > 0 && isHidden) table.notes.add(part.row, SHEET_NOTES.hiddenRows)
    if (texts > 1) table.wideRows++
    if (firstRows.length < MAX_FIRST_ROWS) {
      firstRows.push({ cells, isHeader, hasLinks, width: grid.width() })
    }
    row = undefined
  }

  function closeCell(): void {
    if (!cell || !row) return
    if (text.isTooLong()) table.longRow ??= part.row
    const facts = text.facts()
    if (facts) reportText(facts)
    const value = cellText(text.take(), cell, part.row, table.notes)
    if (firstRows.length < MAX_FIRST_ROWS && row.cells.length < MAX_FIRST_CELLS) {
      row.cells.push(value.slice(0, MAX_NAME_CHARACTERS))
    }
    if (CUT.test(value)) table.notes.add(part.row, CUT_OFF)
    if (value !== '') {
      part.stored ??= begin()
      part.stored.cell(part.row, cell.column, written, 0, writeCell(value, written, 0))
      if (!cell.hasTable) row.texts++
      if (!cell.isName) row.isHeader = false
      if (cell.isWide) row.isWide = true
      if (cell.isMerged && table.wideRows > 0) table.notes.add(part.row, MERGED)
      if (cell.isHidden) table.notes.add(part.row, HIDDEN_CELLS)
      if (cell.hasTable && table.wideRows > 0) table.notes.add(part.row, INNER)
    }
    cell = undefined
  }

  function reportText({ isStruck, isStruckAlone, isRaised, isImage }: TextFacts): void {
    if (isStruckAlone) table.notes.add(part.row, STRUCK_ALONE)
    if (isStruck) table.notes.add(part.row, STRUCK)
    if (isRaised) table.notes.add(part.row, RAISED)
    if (isImage) table.notes.add(part.row, IMAGES)
  }

  function begin(): StoredRows {
    const stored = store.begin()
    if (part === body) table.parts.unshift(stored)
    else table.parts.push(stored)
    return stored
  }

  function look(): HtmlTable {
    table.rows = body.row + foot.row
    if (table.wideRows > 1) table.header = judgeHeader(firstRows)
    return table
  }

  return {
    table,
    text,
    hasCell: () => cell !== undefined,
    openSection(name, attributes = NO_ATTRIBUTES) {
      closeRow()
      grid.endSection()
      isHead = name === 'thead'
      isSectionHidden = isHiddenBy(attributes) || formats.hides(attributes)
      part = name === 'tfoot' ? foot : body
    },
    openColumn(attributes) {
      const span = spanOf(attributes.get('span'), MAX_COLUMNS)
      if (isHiddenBy(attributes)) {
        hiddenColumns ??= createHiddenColumns()
        hiddenColumns.add(columns, columns + span - 1)
      }
      columns += span
    },
    openRow,
    openCell(name, attributes) {
      closeCell()
      if (!row) openRow(NO_ATTRIBUTES)
      if (row) row.count++
      // What stands between cells is shown outside of the table.
      text.take()
      const span = spanOf(attributes.get('colspan'), MAX_COLUMNS)
      const rows = spanOf(attributes.get('rowspan'), MAX_SPANNED_ROWS)
      cell = {
        column: grid.place(span, rows),
        number: attributes.get('x:num') ?? attributes.get('sdval'),
        text: attributes.get('x:str'),
        isError: attributes.has('x:err'),
        format: formats.find(attributes),
        isName: isHead || name === 'th',
        hasTable: false,
        isHidden: isHiddenBy(attributes) || formats.hides(attributes),
        isMerged: rows > 1,
        isWide: span > 1 && attributes.get('style')?.includes('mso-ignore') !== true,
      }
    },
    closeCell,
    closeRow,
    addLink() {
      table.links++
      if (row) row.hasLinks = true
    },
    addInnerTable() {
      table.hasTables = true
      if (cell) cell.hasTable = true
    },
    look,
    close(isComplete) {
      closeRow()
      for (const stored of table.parts) stored.end()
      const width = Math.max(0, ...table.parts.map((stored) => stored.width()))
      hiddenColumns?.report(width, table.notes)
      // A row that breaks off is as wide as it happens to be.
      if (!isComplete) firstRows.pop()
      table.isComplete = isComplete
      look()
    },
  }
}

/** Whether an element is not shown. */
export function isHiddenBy(attributes: Attributes): boolean {
  if (attributes.size === 0) return false
  const style = attributes.get('style')?.replaceAll(' ', '').toLowerCase() ?? ''
  return (
    attributes.has('hidden') ||
    style.includes('display:none') ||
    style.includes('visibility:collapse') ||
    style.includes('visibility:hidden')
  )
}

function spanOf(text: string | undefined, most: number): number {
  const span = text === undefined ? 1 : Number.parseInt(text, 10)
  return span >= 1 ? Math.min(span, most) : 1
}
