import { normalizeName } from './normalize-name'
import { type RecordBatch, cellText } from './scan'

/**
 * Shops leave the category empty on the variants of a product. Each such row gets the last
 * category of a row with the same key (Shopify: `Handle`) or of its parent (WooCommerce: `Parent`
 * holds the parent's SKU, or `id:` and its ID).
 *
 * Counting and filtering run this same code over the same rows, so they always agree. It remembers
 * the 10,000 keys set last: variants follow their product closely, and memory stays bounded.
 */
export type CarryForward = (batch: RecordBatch, record: number, cell: string) => string

const MAX_KEYS = 10_000

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
  /** The column whose value several rows share; -1 when there is none. */
  group: number
  /** Columns by which a row is called a parent, with what stands before the value there. */
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

const dropSpaces: CarryForward = (_batch, _record, cell) => (cell.trim() === '' ? '' : cell)

/** For one pass over the rows of a table, from the first to the last. */
export function createCarryForward(columns: string[], categoryColumn: number): CarryForward {
  const keys = findKeyColumns(columns)
  if (keys.group < 0 || keys.group === categoryColumn) return dropSpaces
  const values = new Map<string, string>()
  let lastKey = ''
  const remember = (key: string, value: string) => {
    if (key === '' || (key === lastKey && values.get(key) === value)) return
    lastKey = key
    values.delete(key)
    values.set(key, value)
    if (values.size > MAX_KEYS) values.delete(values.keys().next().value ?? '')
  }
  return (batch, record, cell) => {
    const group = cellText(batch, record, keys.group).trim()
    if (cell.trim() === '') return (group === '' ? undefined : values.get(group)) ?? ''
    remember(group, cell)
    for (const { index, prefix } of keys.own) {
      const own = cellText(batch, record, index).trim()
      if (own !== '') remember(prefix + own, cell)
    }
    return cell
  }
}
