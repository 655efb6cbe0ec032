/** The forms in which a retailer's shop can get its file: docs/rules.md#profiles. */
export const SHOP_FORMAT_KINDS = [
  'asIs',
  'stock',
  'shopify',
  'wooCommerce',
  'google',
  'adobe',
  'semicolon',
  'workbook',
  'excel',
  'own',
] as const
export type ShopFormatKind = (typeof SHOP_FORMAT_KINDS)[number]

/** The delimiters of files that retailers get, by the names that people choose them by. */
export const FILE_DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const
export type FileDelimiter = keyof typeof FILE_DELIMITERS
export const FILE_DELIMITER_NAMES = ['comma', 'semicolon', 'tab'] as const satisfies FileDelimiter[]

/** What shop systems need to know of a catalogue: which of its columns is what. */
export const COLUMN_ROLES = [
  'sku',
  'quantity',
  'barcode',
  'price',
  'restockDate',
  'restockQuantity',
  'cost',
  'currency',
] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

/** The options that each shop format has, besides those of the quantity. */
export const SHOP_FORMAT_OPTIONS = {
  asIs: [],
  stock: ['hasBarcode', 'hasRestock'],
  shopify: ['location'],
  wooCommerce: [],
  google: [],
  adobe: ['sourceCode'],
  semicolon: [],
  workbook: ['hasOnlyStock', 'hasRestock'],
  excel: ['delimiter', 'hasOnlyStock', 'hasRestock', 'guardsFormulas'],
  own: ['delimiter', 'hasByteOrderMark', 'columns'],
} as const satisfies Record<ShopFormatKind, readonly string[]>

/** The options of the quantity, which every shop format has that does not leave the file as it is. */
export const STOCK_OPTIONS = ['skuPrefix', 'buffer', 'cutOff', 'cap'] as const

/** The last column of files of changes: what has become of a row. No other column has this name, in any case. */
export const CHANGE_COLUMN = '_change'

export const isChangeColumn = (name: string): boolean => name.trim().toLowerCase() === CHANGE_COLUMN

export const MAX_OWN_COLUMNS = 200
/** Of a column that a retailer names. */
export const OWN_COLUMN_NAME_MAX_LENGTH = 100
/** Of the names in JSON, which stand in each row; longer ones are cut. */
export const JSON_NAME_MAX_LENGTH = 100
export const MAX_STOCK_TEXTS = 100
export const STOCK_TEXT_MAX_LENGTH = 40
export const MAX_QUANTITY = 1_000_000

/** Whether the files of a shop format tell shops what is in stock, not only people. */
export function hasQuantities({
  kind,
  hasOnlyStock,
}: {
  kind: ShopFormatKind
  hasOnlyStock: boolean
}): boolean {
  const isForPeople = kind === 'excel' || kind === 'workbook'
  return kind !== 'asIs' && (!isForPeople || hasOnlyStock)
}

/** Whether a shop format has columns of its own, to which those of the restock can be added. */
export const canHaveRestock = ({
  kind,
  hasOnlyStock,
}: {
  kind: ShopFormatKind
  hasOnlyStock: boolean
}): boolean => kind === 'stock' || ((kind === 'workbook' || kind === 'excel') && hasOnlyStock)

/** The names that a feed address may end in; some programs tell from it what a file is. */
export const FEED_FILE_NAMES = [
  'inventory.csv',
  'inventory.txt',
  'products.csv',
  'inventory.xlsx',
  'inventory.parquet',
] as const

/** The one that is a workbook whatever the shop format is. */
export const WORKBOOK_NAME = 'inventory.xlsx' satisfies (typeof FEED_FILE_NAMES)[number]

/** Likewise the one that is Parquet. */
export const PARQUET_NAME = 'inventory.parquet' satisfies (typeof FEED_FILE_NAMES)[number]

/** The name that the address of a shop with this shop format is shown with. All but the workbook's and that of Parquet read the same file. */
export function feedFileNameOf(kind: ShopFormatKind): (typeof FEED_FILE_NAMES)[number] {
  if (kind === 'workbook') return WORKBOOK_NAME
  return kind === 'shopify' ? 'products.csv' : 'inventory.csv'
}

/** What separates the cells of a file. */
export function delimiterOf({
  kind,
  delimiter,
}: {
  kind: ShopFormatKind
  delimiter: FileDelimiter
}) {
  if (kind === 'google') return FILE_DELIMITERS.tab
  if (kind === 'semicolon') return FILE_DELIMITERS.semicolon
  return kind === 'excel' || kind === 'own' ? FILE_DELIMITERS[delimiter] : FILE_DELIMITERS.comma
}
