/** How many parts a merged file has at most. */
export const MAX_PARTS = 50

/** What becomes of the quantities of one item that several suppliers have: docs/rules.md#merged-files. */
export const QUANTITY_RULES = ['first', 'sum', 'least', 'most', 'cheapest'] as const
export type QuantityRule = (typeof QUANTITY_RULES)[number]

/** Columns that a merged file has whatever its parts have, besides price, cost and currency where they are known. */
export const MERGED_COLUMNS = [
  'sku',
  'barcode',
  'quantity',
  'price',
  'cost',
  'currency',
  'supplier',
  'supplier_sku',
] as const

export const MAX_PRICE_TIERS = 20
export const PREFIX_MAX_LENGTH = 20

/** Of a matching file: docs/rules.md#merged-files. */
export const MAX_MATCHES = 100_000
export const MAX_MATCHING_BYTES = 16 * 1024 * 1024
