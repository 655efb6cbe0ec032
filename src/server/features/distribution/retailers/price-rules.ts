import { foldName } from '../../../../shared/categories'
import { hasPathNames } from '../../../../shared/file-source'
import type {
  PriceColumns,
  RetailerPriceRules,
  RetailerPrices,
  SavePriceRulesInput,
} from '../../../../shared/schemas/price-rules'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { toPricing } from '../../../domain/variant-spec'
import { findPricedColumns } from '../../../files/pricing/priced-columns'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { readHead } from '../../catalogue/versions/connection-files'
import { findPublishedVersion } from '../../catalogue/versions/versions.queries'
import { changePriceRules, loadRetailer } from './retailers'

const ANY_RULES: RetailerPriceRules = {
  tiers: [{ from: '0', percent: '0', fixed: '0' }],
  ending: null,
  showsCost: true,
}
const UNKNOWN: PriceColumns = { isKnown: false, cost: null, price: null, isPriceHidden: false }

/** Finds the columns of a supplier's published file that price rules read and write. */
export async function readPriceColumns(deps: Deps, supplierId: number): Promise<PriceColumns> {
  const connection = await findSupplierConnection(deps.db, supplierId)
  const version = await findPublishedVersion(deps.db, connection)
  const pricing = connection && toPricing({ ...connection, priceRules: ANY_RULES })
  if (!version || !pricing) return UNKNOWN
  const { columns, columnCount } = await readHead(deps, version.id)
  const arePaths = hasPathNames(version.dialect)
  const found = findPricedColumns(columns, { ...pricing, arePaths })
  const { cost, sources, priceAt, names } = found
  const hidden = new Set(connection.columnPolicy.hidden.map(foldName))
  return {
    // Only the first columns are stored.
    isKnown: columnCount <= columns.length,
    cost: columns[cost] ?? null,
    price: columns[sources[priceAt] ?? -1] ?? null,
    isPriceHidden: hidden.has(foldName(names[priceAt] ?? '')),
  }
}

/** @throws DomainError INVALID for price rules while the supplier's published file has no column with the cost */
export async function checkPriceRules(
  deps: Deps,
  supplierId: number,
  priceRules: RetailerPriceRules | null | undefined,
): Promise<void> {
  if (!priceRules) return
  const { isKnown, cost } = await readPriceColumns(deps, supplierId)
  if (!isKnown || cost !== null) return
  throw new DomainError(
    'INVALID',
    'Your file has no column with the cost, of which prices are made. Say under Columns which one it is',
    { field: 'priceRules' },
  )
}

/** Returns how the prices are made that a retailer sees. */
export async function readPrices(deps: Deps, actor: Actor, id: number): Promise<RetailerPrices> {
  const { supplierId, priceRules } = await loadRetailer(deps.db, actor, id)
  return { priceRules, columns: await readPriceColumns(deps, supplierId) }
}

/**
 * Changes how the prices are made that a retailer sees, from its next read on.
 * @throws DomainError NOT_FOUND; INVALID as `checkPriceRules`
 */
export async function savePrices(
  deps: Deps,
  actor: Actor,
  { id, priceRules }: SavePriceRulesInput,
): Promise<void> {
  const { supplierId } = await loadRetailer(deps.db, actor, id)
  await checkPriceRules(deps, supplierId, priceRules)
  await changePriceRules(deps, actor, id, priceRules)
}
