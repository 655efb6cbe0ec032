import { DELIMITER_LABELS } from '../../../shared/delimiters'
import { formatCount } from '../../../shared/format'
import type { ShopFormat } from '../../../shared/schemas/shop-format'
import {
  delimiterOf,
  FILE_DELIMITERS,
  SHOP_FORMAT_KINDS,
  type ShopFormatKind,
} from '../../../shared/shop-formats'

interface ShopFormatLabel {
  label: string
  /** What is in the file, and who reads it. */
  description: string
}

export const SHOP_FORMAT_LABELS: Record<ShopFormatKind, ShopFormatLabel> = {
  asIs: {
    label: 'As it is',
    description: 'The supplier’s file with all columns you may see, unchanged.',
  },
  stock: {
    label: 'Stock',
    description:
      'SKU and quantity, for Stock Sync, EZ Inventory, Stockeo, WP All Import, Power Query and scripts.',
  },
  shopify: {
    label: 'Shopify app, by location',
    description:
      'SKU and quantity at one location, for Matrixify and similar apps, with the command to update only. Its address ends in products.csv.',
  },
  wooCommerce: {
    label: 'WooCommerce',
    description: 'SKU, stock and “In stock?”, for its own importer and WP All Import.',
  },
  google: {
    label: 'Google Merchant, supplemental',
    description:
      'Id and availability with tabs, for a supplemental feed. Its address may also end in inventory.txt.',
  },
  adobe: {
    label: 'Adobe Commerce',
    description: 'Stock sources: source, SKU, status and quantity.',
  },
  semicolon: {
    label: 'Reference; Quantity',
    description: 'Two columns with semicolons, for PrestaShop and others that map columns by hand.',
  },
  excel: {
    label: 'Excel',
    description:
      'For people: opens with a double-click. Excel drops leading zeros unless a column is imported as text.',
  },
  own: { label: 'Own columns', description: 'The columns you choose, in your order and names.' },
}

export const shopFormatOptions = SHOP_FORMAT_KINDS.map((value) => ({
  value,
  label: SHOP_FORMAT_LABELS[value].label,
}))

/** The options that are not at their default, such as `Buffer`: `2`. */
export function describeShopFormat(profile: ShopFormat): { term: string; value: string }[] {
  const { kind, location, sourceCode, skuPrefix, buffer, cutOff, cap, guardsFormulas } = profile
  if (kind === 'asIs') return []
  const delimiter = delimiterOf(profile)
  const items = [
    {
      term: 'Delimiter',
      value: delimiter === FILE_DELIMITERS.comma ? '' : DELIMITER_LABELS[delimiter],
    },
    {
      term: 'Formulas',
      value: kind === 'excel' && guardsFormulas === false ? 'As they are' : '',
    },
    { term: 'Location', value: kind === 'shopify' ? location : '' },
    { term: 'Source', value: kind === 'adobe' ? sourceCode : '' },
    { term: 'SKU prefix', value: skuPrefix },
    { term: 'Buffer', value: buffer > 0 ? formatCount(buffer) : '' },
    { term: 'Cut-off', value: cutOff > 0 ? formatCount(cutOff) : '' },
    { term: 'At most', value: cap === null ? '' : formatCount(cap) },
  ]
  return items.filter(({ value }) => value !== '')
}
