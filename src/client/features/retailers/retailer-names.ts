import type { Retailer } from '../../../shared/schemas/retailer'

/** What a retailer is called where a name is needed: its store, or its login. */
export function retailerName({ storeName, username }: Retailer): string {
  return storeName || username
}
