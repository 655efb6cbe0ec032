import { readQuery } from './list-view'

/** The SKU of the item that is looked up, kept in the URL. */
export interface ItemView {
  sku?: string | undefined
}

/** Reads a view from URL search parameters, dropping invalid values. */
export const readItemView = ({ sku }: Record<string, unknown>): ItemView => ({
  sku: readQuery(sku),
})
