import type { ListedRetailer } from '../../../shared/schemas/retailer'

/** What a retailer is called where a name is needed: its store, or its login. */
export function retailerName({ storeName, username }: ListedRetailer): string {
  return storeName || username
}
