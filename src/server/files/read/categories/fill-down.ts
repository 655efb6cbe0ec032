import { CATEGORY_CELL_MAX_LENGTH } from '../../../../shared/constants'
import { normalizeName } from '../normalize-name'
import { rememberCells } from '../scan/remembered-cells'
import { type RecordBatch, cellStart } from '../scan/scan'

/**
 * Returns the category cell of a row. Shop systems leave it empty for the variants of a product: such
 * a row gets the last category of a row with the same key (Shopify: `Handle`), or that of its parent
 * (WooCommerce: `Parent` holds the parent's SKU, or `id:` and its ID).
 *
 * Counting and filtering run this code over the same rows, so that they agree. Only the most recent
 * keys are kept: variants follow their product closely, and memory stays bounded. A cell that exceeds
 * the length limit of categories is cut to one character more than the limit, so that it is still
 * recognised as too long.
 */
export type FillDown = (batch: RecordBatch, record: number) => string

const MAX_KEYS = 10_000
/** Of keys and cells together. */
const MAX_CHARACTERS = 2 * 1024 * 1024
/** A longer key is treated as empty. */
const MAX_KEY_CHARACTERS = 200

const GROUP_NAMES = ['handle', 'itemgroupid', 'groupid', 'variantgroup', 'productgroupid']
const PARENT_NAMES = [
  'parent',
  'parentsku',
  'parentid',
  'parentitem',
  'parentcode',
  'parentproduct',
]

interface KeyColumns {
  /** The column with a product's key or a variant's parent; -1 when there is none. */
  group: number
  /** Columns that identify a parent row, with the prefix that its variants refer to it by. */
  own: { index: number; prefix: string }[]
}

function findKeyColumns(columns: string[]): KeyColumns {
  const names = columns.map(normalizeName)
  const indexOf = (wanted: string[]) => {
    const name = wanted.find((candidate) => names.includes(candidate))
    return name === undefined ? -1 : names.indexOf(name)
  }
  const group = indexOf(GROUP_NAMES)
  if (group >= 0) return { group, own: [] }
  const own = [
    { index: indexOf(['sku', 'itemcode', 'code', 'itemnumber']), prefix: '' },
    { index: indexOf(['id']), prefix: '' },
    { index: indexOf(['id']), prefix: 'id:' },
  ]
  return { group: indexOf(PARENT_NAMES), own: own.filter(({ index }) => index >= 0) }
}

/** Whether rows of a table may get their categories from others. */
export function fillsDown(columns: string[], categoryColumn: number): boolean {
  const { group } = findKeyColumns(columns)
  return group >= 0 && group !== categoryColumn
}

/** Starts one pass over the rows of a table, which must be passed in order. */
export function createFillDown(columns: string[], categoryColumn: number): FillDown {
  const keys = findKeyColumns(columns)
  const categoryOf = rememberCells(categoryColumn, (batch, record) =>
    readCell(batch, record, categoryColumn),
  )
  if (keys.group < 0 || keys.group === categoryColumn) return categoryOf
  const cells = createBoundedMap()
  return (batch, record) => {
    const cell = categoryOf(batch, record)
    const group = readKey(batch, record, keys.group)
    if (cell === '') return cells.get(group) ?? ''
    cells.set(group, cell)
    for (const { index, prefix } of keys.own) {
      const own = readKey(batch, record, index)
      if (own !== '') cells.set(prefix + own, cell)
    }
    return cell
  }
}

/** A cell of only white space is treated as empty. */
function readCell(batch: RecordBatch, record: number, column: number): string {
  const cell = cellStart(batch, record, column, CATEGORY_CELL_MAX_LENGTH + 1)
  return cell.trim() === '' ? '' : cell
}

function readKey(batch: RecordBatch, record: number, column: number): string {
  const key = cellStart(batch, record, column, MAX_KEY_CHARACTERS + 1)
  return key.length > MAX_KEY_CHARACTERS ? '' : key.trim()
}

/** When the map is full, its older half is removed at once, which is cheaper than one by one. */
function createBoundedMap() {
  const cells = new Map<string, string>()
  let characters = 0
  let lastKey = ''
  const remove = (key: string) => {
    const cell = cells.get(key)
    if (cell === undefined) return
    characters -= key.length + cell.length
    cells.delete(key)
  }
  return {
    get: (key: string) => cells.get(key),
    set(key: string, cell: string) {
      if (key === '' || (key === lastKey && cells.get(key) === cell)) return
      lastKey = key
      remove(key)
      cells.set(key, cell)
      characters += key.length + cell.length
      if (cells.size <= MAX_KEYS && characters <= MAX_CHARACTERS) return
      for (const oldest of cells.keys()) {
        if (cells.size <= MAX_KEYS / 2 && characters <= MAX_CHARACTERS / 2) break
        remove(oldest)
      }
    },
  }
}
