import type { Readers, RetailerUsage } from '../../../../shared/schemas/retailer'
import { retailerScope, type Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { toInstant } from '../../../domain/instant'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { countVisibleRows } from '../../catalogue/versions/categories'
import {
  countVersionsAfter,
  findPublishedVersion,
  type VersionRecord,
} from '../../catalogue/versions/versions.queries'
import { listRetailersOfPaused } from '../destinations/destinations.queries'
import { readVisibility } from '../retailers/retailers'
import { findRetailers, type RetailerRecord } from '../retailers/retailers.queries'
import { hasStoppedReading, toDay } from './pull-days'
import { readPulls } from './pull-records'
import { countReadingStates } from './reading-states.queries'
import { countPullsSince } from './retailer-pulls'

/** Few at once, because one retailer's category names may take a quarter of a megabyte. */
const AT_ONCE = 10
const COUNTED_DAYS = 7

/**
 * Returns what retailers see of their supplier's published file, and how they read it.
 * @throws DomainError NOT_FOUND when the actor may not see one of the retailers
 */
export async function listRetailerUsage(
  deps: Deps,
  actor: Actor,
  ids: readonly number[],
): Promise<RetailerUsage[]> {
  const now = deps.clock.now()
  const pulls = await readPulls(deps.db, ids)
  const paused = new Set(await listRetailersOfPaused(deps.db, ids))
  const firstDay = toDay(now) - COUNTED_DAYS + 1
  const versions = new Map<number, VersionRecord | undefined>()
  const usage: RetailerUsage[] = []
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const part = ids.slice(start, start + AT_ONCE)
    const retailers = await findRetailers(deps.db, part, retailerScope(actor))
    if (retailers.length < new Set(part).size) throw notFound('Retailer')
    for (const retailer of retailers) {
      const { id, supplierId } = retailer
      if (!versions.has(supplierId)) versions.set(supplierId, await findPublished(deps, supplierId))
      const version = versions.get(supplierId)
      const last = pulls.get(id)
      usage.push({
        id,
        visibleRows: version ? await countRows(deps, version, retailer) : null,
        lastPull: last ? toInstant(last.lastPulledAt) : null,
        client: last?.client ?? null,
        pullsIn7Days: last ? countPullsSince(last, firstDay) : 0,
        versionsBehind:
          last && version ? await countVersionsAfter(deps.db, version, last.versionId) : null,
        isSilent: last !== undefined && hasStoppedReading(retailer, last.lastPulledAt, now),
        isDeliveryPaused: paused.has(id),
      })
    }
  }
  return usage
}

/** Counts the retailers of a supplier by how they read. */
export function countReaders({ db, clock }: Deps, supplier: Actor): Promise<Readers> {
  return countReadingStates(db, supplier.id, clock.now())
}

const findPublished = async ({ db }: Deps, supplierId: number) =>
  findPublishedVersion(db, await findSupplierConnection(db, supplierId))

async function countRows(
  deps: Deps,
  version: VersionRecord,
  retailer: RetailerRecord,
): Promise<number> {
  const { allProducts, categories } = readVisibility(retailer)
  return allProducts ? version.rowCount : countVisibleRows(deps, version, categories)
}
