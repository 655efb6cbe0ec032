import type { Connection } from '../../../../shared/schemas/connection'
import type { ListedSupplier, SupplierOverview } from '../../../../shared/schemas/supplier'
import type { PageRequest } from '../../../db/queries-kit/page'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { withFetchAllowAdvice } from '../../../domain/fetch-allow-advice'
import { toInstant, toInstantOrNull } from '../../../domain/instant'
import { listSupplierConnections } from '../../catalogue/connections/connections.queries'
import { toConnections } from '../../catalogue/connections/shown-connections'
import {
  countPausedBySupplier,
  listPausedDestinations,
} from '../../distribution/destinations/paused-destinations.queries'
import { pageRetailers } from '../../distribution/retailers/retailers'
import { toUser } from '../../people/accounts/accounts'
import {
  countUsersByRole,
  findUser,
  pageSupplierRows,
  type UserRecord,
} from '../../people/accounts/users.queries'
import { countRetailersBySupplier, listPublicationTimes } from './supplier-observation.queries'

/** The paused destinations that a supplier's page shows; there may be more. */
const MAX_PAUSED = 20

/** Returns one page of suppliers with their health. Unsorted, those with a failing connection come first. */
export async function pageSuppliers(deps: Deps, view: PageRequest) {
  const { rows, ...place } = await pageSupplierRows(deps.db, view)
  const totalCount = await countUsersByRole(deps.db, 'SUPPLIER')
  return { ...place, totalCount, rows: (await observe(deps, rows)).map(toListed) }
}

/** @throws DomainError NOT_FOUND when there is no such supplier */
export async function getSupplier(deps: Deps, id: number): Promise<SupplierOverview> {
  const [supplier] = await observe(deps, [await loadSupplier(deps, id)])
  if (!supplier) throw notFound('Supplier')
  const paused = await listPausedDestinations(deps.db, id, MAX_PAUSED)
  const pausedDestinations = paused.map(({ pausedReason, pausedAt, ...destination }) => ({
    ...destination,
    pausedAt: toInstant(pausedAt ?? 0),
    reason: withFetchAllowAdvice('SUPER_ADMIN', pausedReason, deps.config),
  }))
  return { ...supplier, pausedDestinations }
}

/** Returns one page of a supplier's retailers, as the supplier itself sees them. */
export async function pageSupplierRetailers(
  deps: Deps,
  { id, ...view }: PageRequest & { id: number },
) {
  return pageRetailers(deps, await loadSupplier(deps, id), view)
}

async function loadSupplier(deps: Deps, id: number): Promise<UserRecord> {
  const user = await findUser(deps.db, id)
  if (user?.role !== 'SUPPLIER') throw notFound('Supplier')
  return user
}

/** Only administrators observe suppliers; nobody of them sees an address whole. */
const AS_ADMINISTRATOR = { role: 'SUPER_ADMIN', owner: null } as const

type Observed = Omit<SupplierOverview, 'pausedDestinations'>

async function observe(deps: Deps, rows: readonly UserRecord[]): Promise<Observed[]> {
  const ids = rows.map(({ id }) => id)
  const connectionRows = await listSupplierConnections(deps.db, ids)
  const connections = bySupplier(await toConnections(deps, connectionRows, AS_ADMINISTRATOR))
  const publications = bySupplier(await listPublicationTimes(deps.db, ids))
  const counts = bySupplier(await countRetailersBySupplier(deps.db, ids))
  const paused = bySupplier(await countPausedBySupplier(deps.db, { supplierIds: ids }))
  return rows.map((row) => {
    const publishedAt = publications.get(row.id)?.publishedAt
    return {
      ...toUser(row),
      retailerCount: counts.get(row.id)?.count ?? 0,
      pausedDestinationCount: paused.get(row.id)?.count ?? 0,
      publishedAt: publishedAt ? new Date(publishedAt).toISOString() : null,
      connection: toObserved(connections.get(row.id), row),
      deletionAt: toInstantOrNull(row.deletionAt),
    }
  })
}

const bySupplier = <Row extends { supplierId: number }>(rows: readonly Row[]) =>
  new Map(rows.map((row) => [row.supplierId, row]))

/** Nothing is due for an inactive supplier, so its connection is neither stale nor failing. */
function toObserved(connection: Connection | undefined, { isActive }: UserRecord) {
  if (!connection) return null
  return isActive
    ? connection
    : { ...connection, status: 'paused' as const, freshness: 'paused' as const }
}

/** Leaves out of a connection what a list does not show, such as its URL. */
function toListed({ connection, ...supplier }: Observed): ListedSupplier {
  if (!connection) return { ...supplier, connection }
  const { id, name, status, lastSync, lastError, consecutiveFailures } = connection
  return {
    ...supplier,
    connection: { id, name, status, lastSync, lastError, consecutiveFailures },
  }
}
