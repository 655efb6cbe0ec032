import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import type { ShopFormat } from '../../../../shared/schemas/shop-format'
import type { MergedOutputRow } from '../../../db/schema'
import { ownFormOf } from '../../../domain/variant-spec'
import type { OutputFormat } from '../../../files/shop-formats/column-finder'

/** The column of keys of every merged file. */
export const MERGED_KEY = 'sku'

export const MERGED_POLICY = columnPolicySchema.parse({
  roles: { sku: MERGED_KEY, quantity: 'quantity', barcode: 'barcode', price: 'price' },
  // Amounts that could be read are written so.
  decimalMark: 'point',
})

/** In which form a merged file is written; null: as it was merged. */
export function toMergedFormat(
  profile: ShopFormat,
  asked: MergedOutputRow['form'],
): OutputFormat | null {
  const form = asked === 'own' ? ownFormOf(profile) : asked
  if (profile.kind === 'asIs' && form === 'csv') return null
  return { policy: MERGED_POLICY, profile, quantityColumn: 'quantity', form }
}
