import { comparableCategories, foldName } from '../../shared/categories'
import { hasPathNames } from '../../shared/file-source'
import { type ColumnRoles, columnPolicySchema } from '../../shared/schemas/column-policy'
import {
  type ShopFormat,
  shopFormatSchema,
  withoutUnusedOptions,
} from '../../shared/schemas/shop-format'
import { canHaveRestock, hasQuantities } from '../../shared/shop-formats'
import type { ConnectionRow, RetailerRow } from '../db/schema'
import { type VariantSpec, toViewKey } from '../db/stored-json'
import type { VersionRecord } from '../features/catalogue/versions/versions.queries'
import type { SampleTask } from '../files/file-readers'
import type { WrittenForm } from '../files/shop-formats/column-finder'

/** The settings of a retailer and of its supplier's connection that decide what is in its file. */
export type VariantSettings = Pick<
  RetailerRow,
  'isAllProducts' | 'categories' | 'profile' | 'priceRules'
> &
  Pick<ConnectionRow, 'columnPolicy'>

/** The form in which a file is asked for: as its shop format has it, or another one of the same rows. */
export type AskedForm = 'own' | WrittenForm

export const ownFormOf = ({ kind }: ShopFormat): WrittenForm =>
  kind === 'workbook' ? 'xlsx' : 'csv'

/** The forms in which the file of a shop format can be asked for, its own first. */
export const listForms = (profile: ShopFormat): AskedForm[] =>
  ownFormOf(profile) === 'xlsx'
    ? ['own', 'csv', 'json', 'parquet']
    : ['own', 'json', 'xlsx', 'parquet']

/**
 * Describes the file that settings lead to. Equal files have equal descriptions, however their settings
 * were typed, so that retailers share them.
 * @returns null for the whole version as it is, of which no copy is stored
 */
export function toVariantSpec(
  settings: VariantSettings,
  asked: AskedForm = 'own',
): VariantSpec | null {
  const { isAllProducts, categories, profile, columnPolicy } = settings
  const { hidden, stockTexts, decimalMark, keepsGoneItems } = columnPolicy
  const isAsIs = profile.kind === 'asIs'
  const form = asked === 'own' ? ownFormOf(profile) : asked
  const pricing = toPricing(settings)
  if (isAllProducts && hidden.length === 0 && isAsIs && form === 'csv' && !pricing) return null
  return {
    categories: isAllProducts ? null : comparableCategories(categories),
    hidden: [...new Set(hidden.map(foldName))].toSorted(),
    ...(!isAsIs && {
      profile: withoutUnusedOptions(profile),
      roles: usedRoles(settings),
      stockTexts,
    }),
    ...(!isAsIs && decimalMark !== null && { decimalMark }),
    ...(form === 'json' && { isNdjson: true }),
    ...(form === 'xlsx' && { isWorkbook: true }),
    ...(form === 'parquet' && { isParquet: true }),
    ...(!keepsGoneItems && hasQuantities(profile) && { omitsGoneItems: true }),
    ...(pricing && { pricing }),
  }
}

/** How the prices of a retailer are made; undefined: they are those of the file. */
export function toPricing({
  priceRules: rules,
  columnPolicy,
}: Pick<VariantSettings, 'priceRules' | 'columnPolicy'>): VariantSpec['pricing'] {
  if (!rules) return undefined
  const { price, cost = null, currency = null } = columnPolicy.roles
  return { rules, roles: { price, cost, currency }, decimalMark: columnPolicy.decimalMark }
}

/** Without columns of which nothing is written, as cost and currency: what is chosen for them changes no file then. */
function usedRoles({ profile, columnPolicy }: VariantSettings): ColumnRoles {
  const { restockDate = null, restockQuantity = null, ...others } = columnPolicy.roles
  const { cost: _, currency: __, ...roles } = others
  const isWritten = profile.hasRestock && canHaveRestock(profile)
  return isWritten ? { ...roles, restockDate, restockQuantity } : roles
}

/** The keys of the files that settings lead to in all forms, but for that which is the version itself. */
export function listViewKeys(settings: VariantSettings): string[] {
  return listForms(settings.profile).flatMap((form) => {
    const view = toVariantSpec(settings, form)
    return view ? toViewKey(view) : []
  })
}

/** What is written of a version for a variant, and how. */
export function toSelection(
  view: VariantSpec,
  version: Pick<VersionRecord, 'categoryReading' | 'quantityColumn' | 'numbers' | 'dialect'>,
): Pick<SampleTask, 'categoryReading' | 'categories' | 'format' | 'pricing'> {
  const { categoryReading, quantityColumn, numbers, dialect } = version
  const { categories, hidden, roles, stockTexts, decimalMark } = view
  const form = formOf(view)
  const isCopied = view.profile === undefined && hidden.length === 0 && form === 'csv'
  const policy = columnPolicySchema.parse({ hidden, roles, stockTexts, decimalMark })
  const profile = view.profile ?? shopFormatSchema.parse({})
  const arePaths = hasPathNames(dialect)
  const format = isCopied ? null : { policy, profile, quantityColumn, arePaths, numbers, form }
  const pricing = view.pricing && { pricing: { ...view.pricing, arePaths } }
  return { categoryReading, categories, format, ...pricing }
}

/** The form in which a variant is written. */
export function formOf({ isNdjson, isWorkbook, isParquet }: VariantSpec): WrittenForm {
  if (isNdjson) return 'json'
  if (isWorkbook) return 'xlsx'
  return isParquet ? 'parquet' : 'csv'
}

/** The view of a whole version. */
export const WHOLE_FILE: VariantSpec = { categories: null, hidden: [] }

/** Without what it is compared with; null for a whole version, of which no copy is stored. */
export function toBaseSpec(delta: VariantSpec): VariantSpec | null {
  const { since: _, ...view } = delta
  const { categories, hidden, profile, pricing } = view
  const isPlain = formOf(view) === 'csv' && !profile && !pricing
  const isWhole = categories === null && hidden.length === 0 && isPlain
  return isWhole ? null : view
}
