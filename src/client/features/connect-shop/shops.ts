import type { ShopFormat } from '../../../shared/schemas/shop-format'
import type { ShopFormatKind } from '../../../shared/shop-formats'
import type { Shop } from '../../lib/shop-view'

interface ShopLabel {
  name: string
  /** How it reads an address, in a few words. */
  note: string
}

export const SHOP_LABELS: Record<Shop, ShopLabel> = {
  shopify: { name: 'Shopify app', note: 'Matrixify and similar apps' },
  woocommerce: { name: 'WooCommerce', note: 'With an import plugin' },
  google: { name: 'Google Merchant', note: 'A supplemental source' },
  adobe: { name: 'Adobe Commerce', note: 'Scheduled stock import' },
  excel: { name: 'Excel', note: 'A table that refreshes' },
  sheets: { name: 'Google Sheets', note: 'One formula' },
  script: { name: 'Script', note: 'curl, Python, JavaScript' },
  other: { name: 'Other', note: 'Whatever reads an address' },
}

/** The formats that suit each shop, the best one first. */
const SUITABLE: Record<Shop, readonly [ShopFormatKind, ...ShopFormatKind[]]> = {
  shopify: ['shopify', 'stock'],
  woocommerce: ['wooCommerce', 'stock'],
  google: ['google'],
  adobe: ['adobe'],
  excel: ['workbook', 'excel', 'own'],
  sheets: ['own', 'stock'],
  script: ['stock', 'own'],
  other: ['stock', 'semicolon', 'own'],
}

/** The stored format where it suits the shop, otherwise the one that does best. */
export function proposeFormat(stored: ShopFormat, shop: Shop | undefined): ShopFormat {
  if (!shop || SUITABLE[shop].includes(stored.kind)) return stored
  return { ...stored, kind: SUITABLE[shop][0] }
}

const SHOP_OF_KIND: Partial<Record<ShopFormatKind, Shop>> = {
  shopify: 'shopify',
  wooCommerce: 'woocommerce',
  google: 'google',
  adobe: 'adobe',
  workbook: 'excel',
  excel: 'excel',
}

/** The shop that a stored format was chosen for, where the format tells. */
export const shopOfFormat = (kind: ShopFormatKind): Shop | undefined => SHOP_OF_KIND[kind]
