import type { LatestFile, RetailerPreview } from '../../../../shared/schemas/file'
import type { BrowseRowsInput, RowsPage } from '../../../../shared/schemas/file-rows'
import { delimiterOf } from '../../../../shared/shop-formats'
import type { Owned } from '../../../db/queries-kit/owned'
import { rememberReads, type Reading } from '../../../db/queries-kit/remember'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import { readClientFamily } from '../../../domain/client-family'
import type { Deps } from '../../../domain/deps'
import { DomainError, notFound } from '../../../domain/errors'
import { FileInPreparation } from '../../../domain/file-in-preparation'
import { type AskedForm, toVariantSpec } from '../../../domain/variant-spec'
import { findSupplierConnection } from '../../catalogue/connections/connections.queries'
import { browseRows } from '../../catalogue/versions/browse-rows'
import {
  readHead,
  toHead,
  type FileForm,
  type NoFile,
  type ReadableFile,
} from '../../catalogue/versions/connection-files'
import { findDataTime } from '../../catalogue/versions/data-time'
import { nameItemColumns } from '../../catalogue/versions/item-columns'
import { findVersion, type VersionRecord } from '../../catalogue/versions/versions.queries'
import { toAuditedSubject } from '../../people/audit/audited-records'
import { recordAdministratorsRead } from '../../people/audit/record-read'
import { loadRetailer } from '../retailers/retailers'
import type { RetailerRecord } from '../retailers/retailers.queries'
import { findVariantHead } from '../variants/variants.queries'
import { choiceEndsAt } from './chosen-version'
import { findDownloadByFileName } from './downloads.queries'
import { toFileForm } from './file-form'
import { findAndRecordLatestFile, isRead, listTopics, type RetailerFile } from './latest-file'
import { findOrRequestContent, type ReadyContent, type RetailerContent } from './retailer-content'

const MESSAGES = {
  none: 'No file is available yet',
  processing: 'Your file is being prepared. Try again in a moment.',
  failed: 'Your file could not be prepared. It will be tried again.',
} as const

/** Returns the file that a retailer reads now, to the retailer, its supplier and administrators. */
export async function getLatestFile(deps: Deps, actor: Actor, id: number): Promise<LatestFile> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const file = await findAndRecordLatestFile(deps, actor, retailer)
  return file?.status === 'ready' ? toFileInfo(retailer, file) : toNoFile(file)
}

/** Returns the header and first rows of the file that a retailer reads now. */
export async function previewRetailerFile(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<RetailerPreview | NoFile> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const file = await findAndRecordLatestFile(deps, actor, retailer)
  if (file?.status !== 'ready') return toNoFile(file)
  const head = await readContentHead(deps, file)
  return {
    ...toFileInfo(retailer, file),
    isWorkbook: file.form.extension === 'xlsx',
    ...head,
    ...nameItemColumns(head.columns, file.version),
  }
}

/** The first columns and rows of a ready file, and what separates its cells. */
async function readContentHead(
  deps: Deps,
  { version, variantId }: Pick<ReadyContent, 'variantId'> & { version: VersionRecord },
) {
  if (variantId === null) return { ...(await readHead(deps, version.id)), delimiter: ',' as const }
  const variant = await findVariantHead(deps.db, variantId)
  const profile = variant?.view.profile
  return { ...toHead(variant), delimiter: profile ? delimiterOf(profile) : (',' as const) }
}

/** Which file of a retailer is asked for, and in which form; its own one if that is not said. */
type FileAddress = { id: number; fileName: string; asked?: AskedForm }

type FoundFile = ReadyContent & {
  retailer: RetailerRecord
  connection: ConnectionRow
  version: VersionRecord
  dataAsOf: number
  form: FileForm
}

/**
 * Finds a file by its name, with the rows that the retailer may see now.
 * @throws DomainError NOT_FOUND for a version that was never this retailer's file; UNAVAILABLE
 *   while the file is being built
 */
async function findRetailerFile(
  deps: Deps,
  actor: Actor,
  { id, fileName, asked }: FileAddress,
): Promise<FoundFile> {
  const retailer = await loadRetailer(deps.db, actor, id)
  const version = await findReadableVersion(deps, actor, retailer, fileName)
  if (!version) throw notFound('File')
  const connection = await findSupplierConnection(deps.db, retailer.supplierId)
  if (!connection) throw notFound('File')
  const view = toVariantSpec({ ...retailer, columnPolicy: connection.columnPolicy }, asked)
  const content = await findOrRequestContent(deps, view, version, retailer.id)
  if (content.status !== 'ready') throw notReady(content)
  const dataAsOf = await findDataTime(deps.db, connection, version)
  return { retailer, connection, version, ...content, dataAsOf, form: toFileForm(view) }
}

type NotReady = Exclude<RetailerContent, ReadyContent>

export function notReady(content: NotReady): DomainError {
  const text = describeMissing(content)
  // One that was refused is not tried again at once.
  return content.refusal
    ? new DomainError('UNAVAILABLE', text, { retryAfterSeconds: 60 })
    : new FileInPreparation('UNAVAILABLE', text, { retryAfterSeconds: 2 })
}

const describeMissing = ({ status, refusal }: NotReady) => refusal ?? MESSAGES[status]

/** In some tens of megabytes. */
const REMEMBERED = { max: 10_000 }

export type RetailerFiles = {
  /** As `openRetailerFile`. */
  open(actor: Actor, file: FileAddress): Promise<ReadableFile>
  /** The same, if it can be told at once. */
  recall(actor: Actor, file: FileAddress): ReadableFile | undefined
}

/** Opens the files of retailers for download, and remembers those that they read themselves. */
export function createRetailerFiles(deps: Deps): RetailerFiles {
  const remembered = rememberReads<ReadableFile>(deps, REMEMBERED)
  const toKey = (actor: Actor, { id, fileName, asked = 'own' }: FileAddress) =>
    `${actor.id} ${id} ${asked} ${fileName}`
  return {
    open(actor, file) {
      if (!isRead(actor)) return openRetailerFile(deps, actor, file)
      return remembered.get(toKey(actor, file), () => readRetailerFile(deps, actor, file))
    },
    recall: (actor, file) => (isRead(actor) ? remembered.recall(toKey(actor, file)) : undefined),
  }
}

/** Opens a file of a retailer for download. @throws DomainError as `findRetailerFile` */
export async function openRetailerFile(
  deps: Deps,
  actor: Actor,
  file: FileAddress,
): Promise<ReadableFile> {
  return (await readRetailerFile(deps, actor, file)).value
}

async function readRetailerFile(
  deps: Deps,
  actor: Actor,
  file: FileAddress,
): Promise<Reading<ReadableFile>> {
  const found = await findRetailerFile(deps, actor, file)
  const { retailer, connection, version, dataAsOf, form, ...content } = found
  const { sha256, sizeBytes } = content
  const onRead = isRead(actor)
    ? recordPulls(deps, { retailer, version, content, dataAsOf, addressId: null })
    : () => recordRetailerRead(deps, actor, retailer, file.fileName)
  return {
    value: { title: retailer.supplierName ?? '', dataAsOf, sha256, sizeBytes, form, onRead },
    topics: listTopics(retailer, [version]),
    until: choiceEndsAt(retailer, connection),
  }
}

/** Records that an administrator reads the file of a retailer. */
async function recordRetailerRead(
  deps: Deps,
  actor: Actor,
  retailer: RetailerRecord,
  file: string,
): Promise<void> {
  const read = { action: 'retailer.read-file', ...toAuditedSubject(retailer) } as const
  await recordAdministratorsRead(deps, actor, { ...read, details: { file } })
}

/** Returns a function that records a read of a retailer's file. */
export function recordPulls(
  { pulls, clock }: Deps,
  file: {
    retailer: RetailerRecord
    version: VersionRecord
    content: Omit<ReadyContent, 'status' | 'sha256'>
    dataAsOf: number
    addressId: number | null
  },
): NonNullable<ReadableFile['onRead']> {
  const { rowCount, sizeBytes, variantId } = file.content
  const { fileName } = file.version
  const { dataAsOf, addressId } = file
  return ({ userAgent, isSent }) =>
    pulls.add({
      retailerId: file.retailer.id,
      versionId: file.version.id,
      addressId,
      pulledAt: clock.now(),
      client: readClientFamily(userAgent),
      sent: isSent ? { variantId, fileName, dataAsOf, rowCount, sizeBytes } : null,
    })
}

/** Returns a page of the rows of a retailer's file: exactly those that the retailer may see. */
export async function browseRetailerRows(
  deps: Deps,
  actor: Actor,
  { id, fileName, ...browsing }: BrowseRowsInput & { signal?: AbortSignal | undefined },
): Promise<RowsPage> {
  // Pages are read from rows of text.
  const file = await findRetailerFile(deps, actor, { id, fileName, asked: 'csv' })
  const head = await readContentHead(deps, file)
  if (!browsing.cursor) await recordRetailerRead(deps, actor, file.retailer, fileName)
  return browseRows(deps, actor, { ...file, ...head }, browsing)
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
  const latest = await findAndRecordLatestFile(deps, actor, retailer)
  return latest?.version.fileName === fileName ? latest.version : undefined
}

function toFileInfo(retailer: RetailerRecord, file: RetailerFile & { status: 'ready' }) {
  return {
    fileName: file.version.fileName,
    downloadDate: new Date(file.downloadedAt).toISOString(),
    dataAsOf: new Date(file.dataAsOf).toISOString(),
    newerFile: file.newerFile,
    nextUpdateAt: file.nextUpdateAt,
    freshness: file.freshness,
    fileSize: file.sizeBytes,
    downloadUrl: toDownloadUrl(retailer, file.version),
    rowCount: file.rowCount,
  }
}

function toNoFile(file: RetailerFile | undefined): NoFile {
  if (!file || file.status === 'ready') return { message: MESSAGES.none }
  return { message: describeMissing(file) }
}

function toDownloadUrl(retailer: RetailerRecord, version: VersionRecord): string {
  return `/api/retailers/${retailer.id}/files/${version.fileName}`
}
