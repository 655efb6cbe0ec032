import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { ShopFormatKind } from '../../../shared/shop-formats'
import {
  type CellSource,
  type ColumnFinder,
  createColumnFinder,
  type OutputFormat,
  type WrittenColumn,
} from './column-finder'

/** The columns of a written file. */
export interface Layout {
  lineEnd: '\r\n' | '\n'
  hasByteOrderMark: boolean
  columns: WrittenColumn[]
  /** The column by which rows are distinct; -1 if all rows are written. */
  keyPlace: number
}

/** Without it, importers of products would create those that the shop does not have. */
const SHOPIFY_COMMAND: WrittenColumn = {
  header: 'Command',
  source: { kind: 'text', text: 'UPDATE' },
}
const CSV = { lineEnd: '\n', hasByteOrderMark: false } as const

/**
 * Places the columns of a shop format in a file.
 * @param names all names of the canonical file's columns
 * @throws FileError `missing-column` when the file lacks one that the shop format needs, or hides it
 */
export function layOut(names: string[], format: OutputFormat): Layout {
  const { profile } = format
  return LAYOUTS[profile.kind](createColumnFinder(names, format), profile)
}

const LAYOUTS: Record<ShopFormatKind, (file: ColumnFinder, profile: ShopFormat) => Layout> = {
  asIs: layOutAll,
  own: (file, profile) => ({
    ...layOutAll(file),
    hasByteOrderMark: profile.hasByteOrderMark,
    ...(profile.columns.length > 0 && { columns: profile.columns.map(file.chosen) }),
  }),
  excel: (file, profile) => ({
    ...(profile.hasOnlyStock ? layOutPlainStock(file, profile) : layOutAll(file)),
    lineEnd: '\r\n',
    hasByteOrderMark: true,
  }),
  workbook: (file, profile) =>
    profile.hasOnlyStock ? layOutPlainStock(file, profile) : layOutAll(file),
  stock: layOutPlainStock,
  shopify: (file, { location }) => {
    const layout = layOutStock(file, 'Variant SKU', `Inventory Available: ${location}`)
    return { ...layout, columns: [...layout.columns, SHOPIFY_COMMAND] }
  },
  wooCommerce: (file) => {
    const layout = layOutStock(file, 'SKU', 'Stock')
    const inStock = { header: 'In stock?', source: availability(file, '1', '0') }
    return { ...layout, columns: [...layout.columns, inStock] }
  },
  google: (file) => ({
    ...CSV,
    columns: [
      { header: 'id', source: sku(file) },
      { header: 'availability', source: availability(file, 'in_stock', 'out_of_stock') },
    ],
    keyPlace: file.need('sku'),
  }),
  adobe: (file, { sourceCode }) => ({
    ...CSV,
    columns: [
      { header: 'source_code', source: { kind: 'text', text: sourceCode } },
      { header: 'sku', source: sku(file) },
      { header: 'status', source: availability(file, '1', '0') },
      { header: 'quantity', source: quantity(file) },
    ],
    keyPlace: file.need('sku'),
  }),
  semicolon: (file) => layOutStock(file, 'Reference', 'Quantity'),
}

function layOutAll(file: ColumnFinder): Layout {
  return { ...CSV, lineEnd: '\r\n', columns: file.all(), keyPlace: -1 }
}

function layOutStock(file: ColumnFinder, skuHeader: string, quantityHeader: string): Layout {
  const columns = [
    { header: skuHeader, source: sku(file) },
    { header: quantityHeader, source: quantity(file) },
  ]
  return { ...CSV, columns, keyPlace: file.need('sku') }
}

/** SKU and quantity, and what is wanted besides. */
function layOutPlainStock(
  file: ColumnFinder,
  { kind, hasBarcode, hasRestock }: ShopFormat,
): Layout {
  const layout = layOutStock(file, 'sku', 'quantity')
  const barcode: CellSource[] =
    kind === 'stock' && hasBarcode ? [{ kind: 'cell', place: file.need('barcode') }] : []
  return {
    ...layout,
    columns: [
      ...layout.columns,
      ...barcode.map((source) => ({ header: 'barcode', source })),
      ...(hasRestock ? restock(file) : []),
    ],
  }
}

/** When an item comes back, and how many of it: the columns that the file has of these. */
function restock(file: ColumnFinder): WrittenColumn[] {
  const { restockDate, restockQuantity } = file.needAny(['restockDate', 'restockQuantity'])
  const columns: WrittenColumn[] = []
  if (restockDate !== undefined) {
    columns.push({ header: 'restock_date', source: { kind: 'date', place: restockDate } })
  }
  if (restockQuantity !== undefined) {
    columns.push({ header: 'restock_quantity', source: { kind: 'cell', place: restockQuantity } })
  }
  return columns
}

const sku = (file: ColumnFinder): CellSource => ({ kind: 'sku', place: file.need('sku') })

const quantity = (file: ColumnFinder): CellSource => ({
  kind: 'quantity',
  place: file.need('quantity'),
})

const availability = (file: ColumnFinder, inStock: string, outOfStock: string): CellSource => ({
  kind: 'availability',
  place: file.need('quantity'),
  inStock,
  outOfStock,
})
