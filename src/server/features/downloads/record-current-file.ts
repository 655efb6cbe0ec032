import { inTransaction, isUnwritable, type WriteTransaction } from '../../db/open'
import type { Owned } from '../../db/owned'
import type { Deps } from '../../domain/deps'
import { notFound } from '../../domain/errors'
import { findRetailer, updateRetailer, type RetailerRecord } from '../retailers/retailers.queries'
import type { VersionRecord } from '../versions/versions.queries'
import { findDownload, saveDownload } from './downloads.queries'
import type { RetailerContent } from './retailer-content'

/**
 * Records the version that a retailer has begun to read as its current file. When the disk is full, the
 * file is served unrecorded: that stops writing, not reading.
 * @returns when it became the retailer's; undefined when that could not be recorded
 */
export async function recordCurrentFile(...args: Parameters<typeof recordCurrentVersion>) {
  try {
    return await recordCurrentVersion(...args)
  } catch (error) {
    if (!isUnwritable(error)) throw error
    const [deps] = args
    deps.logger.warn({ err: error }, 'The current file of a retailer could not be recorded')
    return undefined
  }
}

/** Records that this version is the retailer's current file. */
async function recordCurrentVersion(
  deps: Deps,
  retailer: Owned<RetailerRecord>,
  version: VersionRecord,
  content: RetailerContent,
  isNdjson: boolean,
): Promise<{ downloadedAt: number }> {
  const known = await findDownload(deps.db, retailer.id, version.id)
  const fileSize = content.status === 'ready' ? content.sizeBytes : 0
  const hasMoved = retailer.currentVersionId !== version.id || retailer.currentSince === null
  const isEqual = known?.status === content.status && known.fileSize === fileSize
  // The record tells of the file as the retailer sees it on its screens, which is not JSON.
  if (known && !hasMoved && (isEqual || isNdjson)) return known
  const now = deps.clock.now()
  const downloadedAt = known && !hasMoved ? known.downloadedAt : now
  await inTransaction(deps.db, async (trx) => {
    if (hasMoved && !(await moveRetailer(trx, retailer, version.id, now))) return
    await saveDownload(trx, {
      retailerId: retailer.id,
      connectionId: version.connectionId,
      versionId: version.id,
      fileName: version.fileName,
      fileSize,
      downloadedAt,
      status: content.status,
    })
  })
  return { downloadedAt }
}

/**
 * Makes a version the retailer's current one. Returns false when a concurrent request or a change
 * of settings came first.
 */
async function moveRetailer(
  trx: WriteTransaction,
  seen: Owned<RetailerRecord>,
  versionId: number,
  now: number,
): Promise<boolean> {
  const retailer = await findRetailer(trx, seen.id, {})
  if (!retailer) throw notFound('Retailer')
  const isUnchanged =
    retailer.currentVersionId === seen.currentVersionId &&
    retailer.currentSince === seen.currentSince
  if (!isUnchanged) return false
  await updateRetailer(trx, retailer, { currentVersionId: versionId, currentSince: now })
  return true
}
