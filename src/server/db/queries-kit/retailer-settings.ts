import { sql } from 'kysely'

import type { RetailerPriceRules } from '../../../shared/schemas/price-rules'
import type { ShopFormat } from '../../../shared/schemas/shop-format'

/** A setting of a row of `retailers`, to which `retailerGroups` is joined: its own, or that of its group. */
const setting = <Type>(flag: string, column: string) =>
  sql<Type>`case when ${sql.ref(`retailers.${flag}`)} = 1 then ${sql.ref(`retailers.${column}`)}
    else ${sql.ref(`retailerGroups.${column}`)} end`

/** Updates per minute, whether all products are seen, in which categories else, the shop format, and how prices are made. */
export const SYNC_FREQUENCY = setting<number>('hasOwnFrequency', 'syncFrequencyMinutes')
export const IS_ALL_PRODUCTS = setting<boolean>('hasOwnVisibility', 'isAllProducts')
export const CATEGORIES = setting<string[]>('hasOwnVisibility', 'categories')
export const PROFILE = setting<ShopFormat>('hasOwnFormat', 'profile')
export const PRICE_RULES = setting<RetailerPriceRules | null>('hasOwnPrices', 'priceRules')

const isOutdatedBy = (flag: string, changedAt: string) =>
  sql`${sql.ref(`retailers.${flag}`)} = 0
    and ${sql.ref(`retailerGroups.${changedAt}`)} >= ${sql.ref('retailers.currentSince')}`

/** Since when a retailer has its version; null from the moment that its group has changed a setting that is not its own. */
export const CURRENT_SINCE = sql<number | null>`case
  when ${isOutdatedBy('hasOwnFrequency', 'frequencyChangedAt')} then null
  when ${isOutdatedBy('hasOwnVisibility', 'visibilityChangedAt')} then null
  when ${isOutdatedBy('hasOwnFormat', 'formatChangedAt')} then null
  when ${isOutdatedBy('hasOwnPrices', 'pricesChangedAt')} then null
  else ${sql.ref('retailers.currentSince')} end`
