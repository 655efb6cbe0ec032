/** The shops and programs that a retailer can connect, in the order in which they are offered. */
export const SHOPS = [
  'shopify',
  'woocommerce',
  'google',
  'adobe',
  'excel',
  'sheets',
  'script',
  'other',
] as const
export type Shop = (typeof SHOPS)[number]

/** The shop whose connection is shown, kept in the URL. */
export interface ShopView {
  shop?: Shop | undefined
}

/** Reads a view from URL search parameters, dropping an unknown shop. */
export function readShopView({ shop }: Record<string, unknown>): ShopView {
  return { shop: SHOPS.find((known) => known === shop) }
}
