import { categorySetKey } from '../../../shared/categories'
import type { InventoryPreview, LatestFile } from '../../../shared/schemas/file'
import { inTransaction, isUnwritable, type WriteTransaction } from '../../db/open'
import type { Owned } from '../../db/owned'
import type { ConnectionRow } from '../../db/schema'
import type { Actor } from '../../domain/actor'
import type { Deps } from '../../domain/deps'
import { DomainError, notFound } from '../../domain/errors'
import { findSupplierConnection } from '../connections/connections.queries'
import { loadRetailer, readVisibility } from '../retailers/retailers'
import { findRetailer, updateRetailer, type RetailerRecord } from '../retailers/retailers.queries'
import { findVariant, findVariantHead, isReady, requestVariant } from '../variants/variants.queries'
import { readHead, type NoFile, type ReadableFile } from '../versions/connection-files'
import { findVersion, type VersionRecord } from '../versions/versions.queries'
import { findDownload, findDownloadByFileName, saveDownload } from './downloads.queries'
import { recordPull } from './pulls'

/**
 * The share of its frequency after which a retailer's file may change:
 * docs/rules.md#how-often-a-retailers-file-changes.
 */
const DUE_SHARE = 0.9
const MINUTE_MS = 60_000

const MESSAGES = {
  none: 'No file is available yet',
  processing: 'Your file is being prepared. Try again in a moment.',
  failed: 'Your file could not be prepared. It will be tried again.',
} as const

/** The stored file with the rows that a retailer may see of a version, once it is ready. */
type RetailerContent =
  | { status: 'processing' | 'failed' }
  | {
      status: 'ready'
      sha256: string
      sizeBytes: number
      rowCount: number
      variantId: number | null
    }

type RetailerFile = RetailerContent & { version: VersionRecord; asOf: number }

/** Returns the file that a retailer reads now, to the retailer, its supplier and administrators. */
export async function getLatestFile(deps: Deps, actor: Actor, id: number): Promise<LatestFile> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const file = await resolveLatestFile(deps, actor, retailer)
  return file?.status === 'ready' ? toFileInfo(retailer, file) : toNoFile(file)
}

/** Returns the header and first rows of the file that a retailer reads now. */
export async function previewRetailerFile(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<InventoryPreview | NoFile> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const file = await resolveLatestFile(deps, actor, retailer)
  if (file?.status !== 'ready') return toNoFile(file)
  const { variantId } = file
  const headRows = variantId === null ? null : await findVariantHead(deps.db, variantId)
  return { ...toFileInfo(retailer, file), ...(await readHead(deps, file.version.id, headRows)) }
}

/**
 * Finds a file by its name, with the rows that the retailer may see now.
 * @throws DomainError NOT_FOUND for a version that was never this retailer's file; UNAVAILABLE
 *   while the file is being built
 */
export async function openRetailerFile(
  deps: Deps,
  actor: Actor,
  { id, fileName }: { id: number; fileName: string },
): Promise<ReadableFile> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const version = await findReadableVersion(deps, actor, retailer, fileName)
  if (!version) throw notFound('File')
  const content = await resolveContent(deps, retailer, version)
  if (content.status !== 'ready')
    throw new DomainError('UNAVAILABLE', MESSAGES[content.status], { retryAfterSeconds: 2 })
  const { sha256, sizeBytes, variantId } = content
  const pull = { retailerId: retailer.id, versionId: version.id, variantId }
  const onSent = actor.role === 'RETAILER' ? () => recordPull(deps, pull) : undefined
  return { fileName: version.fileName, sha256, sizeBytes, ...(onSent && { onSent }) }
}

/** Finds a version that has been this retailer's file or that the retailer would read now. */
async function findReadableVersion(
  deps: Deps,
  actor: Actor,
  retailer: Owned<RetailerRecord>,
  fileName: string,
): Promise<VersionRecord | undefined> {
  const download = await findDownloadByFileName(deps.db, retailer.id, fileName)
  if (download) return findVersion(deps.db, download.versionId)
  const latest = await resolveLatestFile(deps, actor, retailer)
  return latest?.version.fileName === fileName ? latest.version : undefined
}

/**
 * Finds the version that a retailer reads now. Only the retailer's own request moves it to a newer
 * one and records that; suppliers and administrators see what the retailer would get.
 */
async function resolveLatestFile(
  deps: Deps,
  actor: Actor,
  retailer: Owned<RetailerRecord>,
): Promise<RetailerFile | undefined> {
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  const versionId = connection && chooseVersionId(retailer, connection, deps.clock.now())
  const version = versionId && (await findVersion(deps.db, versionId))
  if (!version) return undefined
  const content = await resolveContent(deps, retailer, version)
  const download =
    actor.role === 'RETAILER'
      ? await recordBestEffort(deps, retailer, version, content)
      : await findDownload(deps.db, retailer.id, version.id)
  const asOf = download?.downloadedAt ?? version.publishedAt ?? version.createdAt
  return { ...content, version, asOf }
}

/** Returns the id of the version that a retailer would read at `now`, without moving it there. */
export function chooseVersionId(
  retailer: RetailerRecord,
  connection: ConnectionRow,
  now: number,
): number | null {
  const { currentVersionId, currentSince } = retailer
  if (currentVersionId === null || currentSince === null) return connection.publishedVersionId
  const waitMs = retailer.syncFrequencyMinutes * MINUTE_MS * DUE_SHARE
  const waitedMs = now - currentSince
  // Negative when the clock was set back: the time waited is then unknown, and taken as enough.
  const isDue = waitedMs >= waitMs || waitedMs < 0
  return isDue ? connection.publishedVersionId : currentVersionId
}

/** Returns the whole version or the retailer's filtered file, which is requested if missing. */
async function resolveContent(
  deps: Deps,
  retailer: RetailerRecord,
  version: VersionRecord,
): Promise<RetailerContent> {
  const visibility = readVisibility(retailer)
  if (visibility.allProducts) {
    const { sha256, sizeBytes, rowCount } = version
    return { status: 'ready', sha256, sizeBytes, rowCount, variantId: null }
  }
  const key = categorySetKey(visibility.categories)
  const variant = await findVariant(deps.db, version.id, key)
  if (variant && isReady(variant)) {
    const { id: variantId, sha256, sizeBytes, rowCount } = variant
    return { status: 'ready', sha256, sizeBytes, rowCount, variantId }
  }
  if (variant?.status !== 'processing') await requestBuild(deps, version.id, key)
  return { status: variant?.status === 'failed' ? 'failed' : 'processing' }
}

async function requestBuild(deps: Deps, versionId: number, key: string): Promise<void> {
  const createdAt = deps.clock.now()
  await inTransaction(deps.db, (trx) =>
    requestVariant(trx, { versionId, categorySetKey: key, createdAt }),
  )
  await deps.queue.add({ job: 'build-variants', key: 'waiting', payload: {} })
}

/** Serves the file unrecorded when the disk is full: that stops writing, not reading. */
async function recordBestEffort(...args: Parameters<typeof recordCurrentVersion>) {
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
): Promise<{ downloadedAt: number }> {
  const known = await findDownload(deps.db, retailer.id, version.id)
  const fileSize = content.status === 'ready' ? content.sizeBytes : 0
  const hasMoved = retailer.currentVersionId !== version.id || retailer.currentSince === null
  if (known && !hasMoved && known.status === content.status && known.fileSize === fileSize) {
    return known
  }
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

function toFileInfo(retailer: RetailerRecord, file: RetailerFile & { status: 'ready' }) {
  return {
    fileName: file.version.fileName,
    downloadDate: new Date(file.asOf).toISOString(),
    fileSize: file.sizeBytes,
    downloadUrl: toDownloadUrl(retailer, file.version),
    rowCount: file.rowCount,
  }
}

function toNoFile(file: RetailerFile | undefined): NoFile {
  const status = file?.status ?? 'none'
  return { message: status === 'ready' ? MESSAGES.none : MESSAGES[status] }
}

function toDownloadUrl(retailer: RetailerRecord, version: VersionRecord): string {
  return `/api/retailers/${retailer.id}/files/${version.fileName}`
}
