import { formatCount, formatCountOf } from '../../../shared/format'
import type { ListedSupplier } from '../../../shared/schemas/supplier'

/** `12 of 50 retailers`; `12 retailers` when no limit is recorded. */
export function describeRetailers({
  retailerCount,
  maxRetailers,
}: Pick<ListedSupplier, 'retailerCount' | 'maxRetailers'>): string {
  if (maxRetailers === null) return formatCountOf(retailerCount, 'retailer')
  return `${formatCount(retailerCount)} of ${formatCountOf(maxRetailers, 'retailer')}`
}
