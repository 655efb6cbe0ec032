import type { ListedRetailer } from '../../../shared/schemas/retailer'

/** Display name of a retailer: its store name, or its username. */
export function retailerName({ storeName, username }: ListedRetailer): string {
  return storeName || username
}
