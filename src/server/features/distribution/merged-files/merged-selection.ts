import { columnPolicySchema } from '../../../../shared/schemas/column-policy'
import type { ShopFormat } from '../../../../shared/schemas/shop-format'
import type { MergedOutputRow } from '../../../db/schema'
import { ownFormOf } from '../../../domain/variant-spec'
import type { OutputFormat, WrittenForm } from '../../../files/shop-formats/column-finder'
import type { FileForm } from '../../catalogue/versions/connection-files'
import { toFileForm } from '../downloads/file-form'

/** The column of keys of every merged file. */
export const MERGED_KEY = 'sku'

export const MERGED_POLICY = columnPolicySchema.parse({
  roles: { sku: MERGED_KEY, quantity: 'quantity', barcode: 'barcode', price: 'price' },
  // Amounts that could be read are written so.
  decimalMark: 'point',
})

/** What an output is written as. */
const writtenForm = (profile: ShopFormat, form: MergedOutputRow['form']): WrittenForm =>
  form === 'csv' || form === 'json' || form === 'xlsx' || form === 'parquet'
    ? form
    : ownFormOf(profile)

/** In which form a merged file is written; null: as it was merged. */
export function toMergedFormat(
  profile: ShopFormat,
  asked: MergedOutputRow['form'],
): OutputFormat | null {
  const form = writtenForm(profile, asked)
  if (profile.kind === 'asIs' && form === 'csv') return null
  return { policy: MERGED_POLICY, profile, quantityColumn: 'quantity', form }
}

/** How an output is announced. */
export function toMergedForm(profile: ShopFormat, form: MergedOutputRow['form']): FileForm {
  const written = writtenForm(profile, form)
  return toFileForm({
    categories: null,
    hidden: [],
    profile,
    ...(written === 'json' && { isNdjson: true as const }),
    ...(written === 'xlsx' && { isWorkbook: true as const }),
    ...(written === 'parquet' && { isParquet: true as const }),
  })
}
