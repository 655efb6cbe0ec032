import { delimiterOf, FILE_DELIMITERS } from '../../../../shared/shop-formats'
import type { VariantSpec } from '../../../db/stored-json'
import { CSV_FORM, type FileForm } from '../../catalogue/versions/connection-files'

const JSON_FORM: FileForm = { mediaType: 'application/x-ndjson', extension: 'ndjson' }
const WORKBOOK_FORM: FileForm = {
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  extension: 'xlsx',
  isCompressed: true,
}
const PARQUET_FORM: FileForm = {
  mediaType: 'application/vnd.apache.parquet',
  extension: 'parquet',
  isCompressed: true,
}
/** `.txt`, by which Google Merchant Center and others recognise tabs. */
const TAB_FORM: FileForm = { mediaType: 'text/tab-separated-values', extension: 'txt' }
/** Shopify's importers tell what a file is by this name. */
const SHOPIFY_FORM: FileForm = { ...CSV_FORM, name: 'products' }

/** How a variant is announced; null: the whole version. */
export function toFileForm(view: VariantSpec | null): FileForm {
  if (view?.isNdjson) return JSON_FORM
  if (view?.isWorkbook) return WORKBOOK_FORM
  if (view?.isParquet) return PARQUET_FORM
  if (!view?.profile) return CSV_FORM
  if (delimiterOf(view.profile) === FILE_DELIMITERS.tab) return TAB_FORM
  return view.profile.kind === 'shopify' ? SHOPIFY_FORM : CSV_FORM
}
