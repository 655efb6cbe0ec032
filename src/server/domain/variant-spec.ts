import { comparableCategories, foldName } from '../../shared/categories'
import { hasPathNames } from '../../shared/file-source'
import { columnPolicySchema } from '../../shared/schemas/column-policy'
import { shopFormatSchema, withoutUnusedOptions } from '../../shared/schemas/shop-format'
import { hasQuantities } from '../../shared/shop-formats'
import type { ConnectionRow, RetailerRow } from '../db/schema'
import { type VariantSpec, toViewKey } from '../db/stored-json'
import type { VersionRecord } from '../features/catalogue/versions/versions.queries'
import type { FilterTask } from '../files/file-readers'

/** The settings of a retailer and of its supplier's connection that decide what is in its file. */
export type VariantSettings = Pick<RetailerRow, 'isAllProducts' | 'categories' | 'profile'> &
  Pick<ConnectionRow, 'columnPolicy'>

/**
 * Describes the file that settings lead to. Equal files have equal descriptions, however their settings
 * were typed, so that retailers share them.
 * @returns null for the whole version as it is, of which no copy is stored
 */
export function toVariantSpec(settings: VariantSettings, isNdjson = false): VariantSpec | null {
  const { isAllProducts, categories, profile, columnPolicy } = settings
  const { hidden, roles, stockTexts, decimalMark, keepsGoneItems } = columnPolicy
  const isAsIs = profile.kind === 'asIs'
  if (isAllProducts && hidden.length === 0 && isAsIs && !isNdjson) return null
  return {
    categories: isAllProducts ? null : comparableCategories(categories),
    hidden: [...new Set(hidden.map(foldName))].toSorted(),
    ...(!isAsIs && { profile: withoutUnusedOptions(profile), roles, stockTexts }),
    ...(!isAsIs && decimalMark !== null && { decimalMark }),
    ...(isNdjson && { isNdjson }),
    ...(!keepsGoneItems && hasQuantities(profile) && { omitsGoneItems: true }),
  }
}

/** The keys of the files that settings lead to: as CSV, unless that is the version itself, and as JSON. */
export function listViewKeys(settings: VariantSettings): string[] {
  const views = [toVariantSpec(settings), toVariantSpec(settings, true)]
  return views.flatMap((view) => (view ? toViewKey(view) : []))
}

/** What is written of a version for a variant, and how. */
export function toSelection(
  view: VariantSpec,
  version: Pick<VersionRecord, 'categoryReading' | 'quantityColumn' | 'numbers' | 'dialect'>,
): Pick<FilterTask, 'categoryReading' | 'categories' | 'format'> {
  const { categoryReading, quantityColumn, numbers, dialect } = version
  const { categories, hidden, roles, stockTexts, decimalMark, isNdjson = false } = view
  const isCopied = view.profile === undefined && hidden.length === 0 && !isNdjson
  const policy = columnPolicySchema.parse({ hidden, roles, stockTexts, decimalMark })
  const profile = view.profile ?? shopFormatSchema.parse({})
  const arePaths = hasPathNames(dialect)
  const format = isCopied ? null : { policy, profile, quantityColumn, arePaths, numbers, isNdjson }
  return { categoryReading, categories, format }
}

/** The view of a whole version. */
export const WHOLE_FILE: VariantSpec = { categories: null, hidden: [] }

/** Without what it is compared with; null for a whole version, of which no copy is stored. */
export function toBaseSpec(delta: VariantSpec): VariantSpec | null {
  const { since: _, ...view } = delta
  const { categories, hidden, profile, isNdjson } = view
  const isWhole = categories === null && hidden.length === 0 && !profile && !isNdjson
  return isWhole ? null : view
}
