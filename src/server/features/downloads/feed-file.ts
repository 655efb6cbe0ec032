import { createHash } from 'node:crypto'

import type { Deps } from '../../domain/deps'
import { DomainError, notFound } from '../../domain/errors'
import { findUser } from '../accounts/users.queries'
import { findFeedAddress } from '../feed-addresses/feed-addresses.queries'
import { findRetailer } from '../retailers/retailers.queries'
import type { ReadableFile } from '../versions/connection-files'
import { notReady, recordPulls, resolveLatestFile } from './retailer-files'

/** The file of a shop, as its feed address answers with it. */
export type FeedFile = ReadableFile & {
  /** The address that was read. */
  addressId: number
  /** Changes whenever the file does; otherwise without a meaning to readers. */
  version: string
  rowCount: number
  /** When this file became the retailer's. */
  modifiedAt: number
}

/**
 * Opens the file that a shop reads from its feed address: that of its retailer, as if the retailer
 * itself had asked for it.
 * @throws DomainError NOT_FOUND for an address that is unknown, has been replaced or revoked, and as
 *   long as there is no file; UNAVAILABLE while the file is being built
 */
export async function openFeedFile(
  deps: Deps,
  tokenHash: string,
  isNdjson: boolean,
): Promise<FeedFile> {
  const address = await findFeedAddress(deps.db, tokenHash, deps.clock.now())
  const retailer = address && (await findRetailer(deps.db, address.retailerId, {}))
  const login = retailer && (await findUser(deps.db, retailer.userId))
  if (!address || !retailer || !login?.isActive) throw notFound('Feed')
  const file = await resolveLatestFile(deps, login, retailer, isNdjson)
  if (!file) throw new DomainError('NOT_FOUND', 'No file is available yet')
  if (file.status !== 'ready') throw notReady(file.status)
  const { version, dataAsOf, sha256, sizeBytes, rowCount, form } = file
  return {
    addressId: address.id,
    title: retailer.supplierName ?? '',
    dataAsOf,
    sha256,
    sizeBytes,
    rowCount,
    form,
    version: toFeedVersion(version.id, sha256),
    modifiedAt: file.downloadedAt,
    onRead: recordPulls(deps, {
      retailer,
      version,
      content: file,
      dataAsOf,
      addressId: address.id,
    }),
  }
}

/** Hashed, so that it does not tell how many versions all suppliers have. */
function toFeedVersion(versionId: number, sha256: string): string {
  const hash = createHash('sha256').update(`${versionId} ${sha256}`)
  return hash.digest('base64url').slice(0, 22)
}
