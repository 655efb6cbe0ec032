import { toViewKey } from '../../../db/stored-json'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { toVariantSpec } from '../../../domain/variant-spec'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { chooseVersionId } from '../../distribution/downloads/chosen-version'
import { findNewestPullId } from '../../distribution/downloads/pulls.queries'
import { listFeedAddressRows } from '../../distribution/feed-addresses/feed-addresses.queries'
import { listRetailers, type RetailerRecord } from '../../distribution/retailers/retailers.queries'
import { findVariant } from '../../distribution/variants/variants.queries'

/** A fingerprint of a retailer's file, and the topics of what may change it. */
type FileMark = { mark: string; topics: string[] }

/**
 * Returns a fingerprint of the file that a retailer would get now, of whether it is ready, of the
 * newest published file, of when the source was last read, and of the
 * last download and feed address. Does not move the retailer, count a request, or request a filtered
 * file.
 */
export async function fingerprintOwnFile(deps: Deps, actor: Actor) {
  const retailers = await listRetailers(deps.db, { userId: actor.id })
  const marks = await Promise.all(retailers.map((retailer) => fingerprintFile(deps, retailer)))
  return {
    items: marks.map(({ mark }) => ({ kind: 'retailer-file' as const, mark })),
    topics: marks.flatMap(({ topics }) => topics),
  }
}

async function fingerprintFile(deps: Deps, retailer: RetailerRecord): Promise<FileMark> {
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  const versionId = connection && chooseVersionId(retailer, connection, deps.clock.now())
  const topics = [`files ${retailer.supplierId}`, `retailer ${retailer.id}`]
  if (!versionId) return { mark: 'none', topics }
  topics.push(`version ${versionId}`)
  const pullId = await findNewestPullId(deps.db, retailer.id)
  const [address] = await listFeedAddressRows(deps.db, retailer.id, deps.clock.now())
  const { publishedVersionId, lastSyncAt } = connection
  const source = `${publishedVersionId} ${lastSyncAt} ${pullId} ${address?.id}`
  const view = toVariantSpec({ ...retailer, columnPolicy: connection.columnPolicy })
  if (!view) return { mark: `${versionId} ${source}`, topics }
  const key = toViewKey(view)
  const variant = await findVariant(deps.db, versionId, key)
  return { mark: `${versionId} ${source} ${key} ${variant?.status ?? 'unasked'}`, topics }
}
