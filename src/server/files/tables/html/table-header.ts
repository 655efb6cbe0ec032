import { countKnownNames } from '../../read/dialect/header'
import { normalizeName } from '../../read/normalize-name'
import { detectRoles } from '../../shop-formats/column-roles'

/** A row at the beginning of a table. */
export interface FirstRow {
  /** Shortened. */
  cells: readonly string[]
  /** The columns that its cells take. */
  width: number
  /** Whether the document says that it has the names of columns. */
  isHeader: boolean
  hasLinks: boolean
}

export const MAX_FIRST_ROWS = 25
export const MAX_FIRST_CELLS = 100
/** Of a cell; the name of a column is not longer. */
export const MAX_NAME_CHARACTERS = 100

/** What the header of a table tells: none; names of columns; names that an inventory has. */
export type HeaderKind = 'none' | 'names' | 'inventory'

/** Of the rows below the header, how many must be as wide as it is. */
const MIN_REGULARITY = 0.8
/** One column alone, of prices for example, stands in tables of all kinds. */
const MIN_ROLES = 2
const MIN_KNOWN_NAMES = 3

/**
 * Whether the first rows of a table are those of data, and not of a layout: names of columns, and rows of the same width
 * below. Names that sort the table when they are clicked on are those of a list of files, or of a page for people, unless
 * an inventory has them.
 */
export function judgeHeader(rows: readonly FirstRow[]): HeaderKind {
  const start = rows.findIndex(isHeader)
  if (start < 0) return 'none'
  // Names may stand below those of groups, and between those that span both rows.
  const length = rows.slice(start).findIndex((row) => !isHeader(row))
  const header = length < 0 ? rows.slice(start) : rows.slice(start, start + length)
  const width = Math.max(...header.map((row) => row.width))
  const below = rows.slice(start + header.length).filter(({ cells }) => countFilled(cells) > 0)
  const alike = below.filter((row) => row.width === width)
  const isTable =
    alike.length >= MIN_REGULARITY * below.length &&
    alike.some(({ cells }) => countFilled(cells) > 1)
  if (!isTable) return 'none'
  const names = header.flatMap(({ cells }) => cells)
  const roles = Object.values(detectRoles(names, null)).filter((name) => name !== null)
  const isInventory =
    roles.length >= MIN_ROLES || (roles.length > 0 && countKnownNames(names) >= MIN_KNOWN_NAMES)
  const sorts = header.some(({ hasLinks }) => hasLinks)
  // Whoever chooses such a table knows that it is one.
  if (sorts) return isInventory && hasKeys(names) ? 'names' : 'none'
  return isInventory && hasItems(names) ? 'inventory' : 'names'
}

/** By which items are known; orders and statistics have prices and quantities, too. */
function hasItems(names: string[]): boolean {
  if (hasKeys(names)) return true
  const normalized = names.map(normalizeName)
  return normalized.some((name) => ITEM.test(name)) && !normalized.some((name) => ORDER.test(name))
}

function hasKeys(names: string[]): boolean {
  const { sku, barcode } = detectRoles(names, null)
  return sku !== null || barcode !== null
}

const ITEM =
  /name|title|titel|product|produ[ik]t|artic|artik|item|description|beschreibung|bezeichnung|designation|nom|naam|navn|nazwa|nazev|denomin|opis|popis|benamning|nimi/
const ORDER = /^(?:order|invoice)(?:no|nr|number|id|date)?$|^(?:customer|email|kunde|client)/

function isHeader({ cells, isHeader: isDeclared }: FirstRow): boolean {
  const areNames = isDeclared || countKnownNames([...cells]) > 1
  return (
    areNames && countFilled(cells) > 1 && cells.every(({ length }) => length < MAX_NAME_CHARACTERS)
  )
}

const countFilled = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => (cell === '' ? count : count + 1), 0)
