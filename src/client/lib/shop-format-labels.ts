import { SHOP_FORMAT_KINDS, type ShopFormatKind } from '../../shared/shop-formats'

interface ShopFormatLabel {
  label: string
  /** What is in the file, and who reads it. */
  description: string
}

export const SHOP_FORMAT_LABELS: Record<ShopFormatKind, ShopFormatLabel> = {
  asIs: {
    label: 'As it is',
    description: 'The file with all visible columns, unchanged.',
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
  workbook: {
    label: 'Excel workbook',
    description:
      'For people: a workbook (.xlsx) with a header that stays in view and filters. Leading zeros and long barcodes stay as they are. Its address ends in inventory.xlsx.',
  },
  excel: {
    label: 'Excel (CSV)',
    description:
      'For people: opens with a double-click. Excel drops leading zeros unless a column is imported as text.',
  },
  own: { label: 'Own columns', description: 'The columns you choose, in your order and names.' },
}

export const shopFormatOptions = SHOP_FORMAT_KINDS.map((value) => ({
  value,
  label: SHOP_FORMAT_LABELS[value].label,
}))
