import { inTransaction, isUnwritable, type WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import type { AssignmentRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import type { VersionRecord } from '../../catalogue/versions/versions.queries'
import {
  findRetailer,
  updateRetailerRow,
  type RetailerRecord,
} from '../retailers/retailers.queries'
import { findDownload, listContents, saveDownload } from './downloads.queries'
import type { RetailerContent } from './retailer-content'

/**
 * Records the version that a retailer has begun to read as its current file. When the disk is full, the
 * file is served unrecorded: that stops writing, not reading.
 * @returns when it and its content became the retailer's; undefined when that could not be recorded
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

type RecordedFile = Pick<AssignmentRow, 'downloadedAt' | 'contentSha256' | 'contentSince'>

/**
 * Records that this version is the retailer's current file.
 * @param content the file as CSV, as the retailer sees it on its screens; null when that is not known
 */
async function recordCurrentVersion(
  deps: Deps,
  retailer: Owned<RetailerRecord>,
  version: VersionRecord,
  content: (RetailerContent & { viewKey: string }) | null,
): Promise<RecordedFile> {
  const known = await findDownload(deps.db, retailer.id, version.id)
  const { status } = content ?? { status: 'processing' as const }
  const ready = content?.status === 'ready' ? content : undefined
  const fileSize = ready?.sizeBytes ?? 0
  // While a file is prepared, that of before is remembered as the last one.
  const contentSha256 = ready?.sha256 ?? known?.contentSha256 ?? null
  const contentViewKey = ready?.viewKey ?? known?.contentViewKey ?? null
  const hasMoved = retailer.currentVersionId !== version.id || retailer.currentSince === null
  const isEqual =
    known?.status === status &&
    known.fileSize === fileSize &&
    known.contentSha256 === contentSha256 &&
    known.contentViewKey === contentViewKey
  if (known && !hasMoved && (isEqual || content === null)) return known
  const now = deps.clock.now()
  const downloadedAt = known && !hasMoved ? known.downloadedAt : now
  const contentSince = await findContentSince(deps, retailer.id, contentSha256)
  await inTransaction(deps.db, async (trx) => {
    if (hasMoved && !(await moveRetailer(trx, retailer, version.id, now))) return
    await saveDownload(trx, {
      retailerId: retailer.id,
      connectionId: version.connectionId,
      versionId: version.id,
      fileName: version.fileName,
      fileSize,
      downloadedAt,
      status,
      contentSha256,
      contentViewKey,
      contentSince,
    })
  })
  return { downloadedAt, contentSha256, contentSince }
}

/** Since when a retailer's file has had this content: from now on, unless the last one had the same. */
async function findContentSince({ db, clock }: Deps, retailerId: number, sha256: string | null) {
  if (sha256 === null) return null
  const [last] = await listContents(db, retailerId)
  return last?.contentSha256 === sha256 ? last.contentSince : clock.now()
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
  await updateRetailerRow(trx, retailer, { currentVersionId: versionId, currentSince: now })
  return true
}
