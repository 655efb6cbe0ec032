import type { FileListing, InventoryPreview, SourceFindings } from '../../../../shared/schemas/file'
import type { Db } from '../../../db/open'
import type { ConnectionRow } from '../../../db/schema'
import type { Actor } from '../../../domain/actor'
import type { Deps } from '../../../domain/deps'
import { notFound } from '../../../domain/errors'
import { createHead } from '../../../files/read/table/head-rows'
import { recordAdministratorsRead } from '../../people/audit/record-read'
import { loadConnection } from '../connections/connections'
import { findDataTime } from './data-time'
import { toJoin, toUpdate } from './file-source'
import { nameItemColumns } from './item-columns'
import {
  findPublishedVersion,
  findVersionByFileName,
  findVersionFindings,
  findVersionHead,
  listPublishedVersions,
  type VersionRecord,
} from './versions.queries'

/** How a file is announced to those who download it. */
export type FileForm = {
  /** Without its charset, which is UTF-8 for texts. */
  mediaType: string
  extension: string
  /** Whether it is no text, and compressed itself. */
  isCompressed?: true
  /** The name under which it is saved, without extension; otherwise that of whose file it is. */
  name?: string
}
export const CSV_FORM: FileForm = { mediaType: 'text/csv', extension: 'csv' }

/** The value of Content-Type. */
export const toContentType = ({ mediaType, isCompressed }: FileForm): string =>
  isCompressed ? mediaType : `${mediaType}; charset=utf-8`

/** A file that the caller may read. It is found in the database, never by a path. */
export type ReadableFile = {
  /** For the name under which people save it: whose file it is, and from when its data are. */
  title: string
  dataAsOf: number
  sha256: string
  sizeBytes: number
  form: FileForm
  /** Records a read. To be called when the file is sent, or when its reader has it already. */
  onRead?(reader: { userAgent?: string | undefined; isSent: boolean }): void | Promise<void>
}

/** The reason why there is no file to show. */
export type NoFile = { message: string }

/** Rarely reached: thirty versions are kept, and any older one that a retailer still reads. */
const MAX_LISTED = 1_000

export const NOTHING_PUBLISHED = { message: 'No file is available yet' }

/** Lists a connection's published files, newest first. */
export async function listFiles(deps: Deps, actor: Actor, id: number): Promise<FileListing> {
  const connection = await loadConnection(deps.db, actor, id)
  const versions = await listPublishedVersions(deps.db, connection.id, MAX_LISTED)
  return {
    files: versions.map((version) => ({
      fileName: version.fileName,
      downloadDate: publishedAt(version),
      fileSize: version.sizeBytes,
      rowCount: version.rowCount,
    })),
  }
}

/**
 * Finds a published file by its name, for those who may see the connection.
 * @throws DomainError NOT_FOUND
 */
export async function findConnectionFile(
  db: Db,
  actor: Actor,
  { id, fileName }: { id: number; fileName: string },
): Promise<{ connection: ConnectionRow; version: VersionRecord }> {
  const connection = await loadConnection(db, actor, id)
  const version = await findVersionByFileName(db, connection.id, fileName)
  if (!version) throw notFound('File')
  return { connection, version }
}

/** Opens a published file for download. @throws DomainError NOT_FOUND */
export async function openConnectionFile(
  deps: Deps,
  actor: Actor,
  file: { id: number; fileName: string },
): Promise<ReadableFile> {
  const { connection, version } = await findConnectionFile(deps.db, actor, file)
  const { sha256, sizeBytes } = version
  const dataAsOf = await findDataTime(deps.db, connection, version)
  const opened = { title: connection.name, dataAsOf, sha256, sizeBytes, form: CSV_FORM }
  return { ...opened, onRead: () => recordConnectionRead(deps, actor, connection, file.fileName) }
}

/** Records that an administrator reads a file of a supplier. */
export async function recordConnectionRead(
  deps: Deps,
  actor: Actor,
  { id, name, supplierId }: ConnectionRow,
  file: string,
): Promise<void> {
  const read = { action: 'connection.read-file', subject: { id, name }, supplierId } as const
  await recordAdministratorsRead(deps, actor, { ...read, details: { file } })
}

/** Returns the published file's header and first rows, as stored at sync time: reads no file. */
export async function previewConnection(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<InventoryPreview | NoFile> {
  const connection = await loadConnection(deps.db, actor, id)
  const version = await findPublishedVersion(deps.db, connection)
  if (!version) return NOTHING_PUBLISHED
  const head = await readHead(deps, version.id)
  return {
    ...head,
    ...nameItemColumns(head.columns, version),
    fileName: version.fileName,
    rowCount: version.rowCount,
    fileSize: version.sizeBytes,
    downloadDate: publishedAt(version),
    dataAsOf: new Date(await findDataTime(deps.db, connection, version)).toISOString(),
    downloadUrl: `/api/connections/${version.connectionId}/files/${version.fileName}`,
  }
}

/** Returns what the sync of the published file found, in the same form as a source's preview. */
export async function readFindings(
  deps: Deps,
  actor: Actor,
  id: number,
): Promise<SourceFindings | NoFile> {
  const version = await findPublishedVersion(deps.db, await loadConnection(deps.db, actor, id))
  const found = version && (await findVersionFindings(deps.db, version.id))
  if (!found) return NOTHING_PUBLISHED
  return {
    fileName: version.fileName,
    publishedAt: publishedAt(version),
    rowCount: version.rowCount,
    columnCount: found.columnCount ?? found.columns.length,
    dialect: found.dialect,
    problems: found.problems,
    isRewritten: found.isRewritten,
    categoryReading: version.categoryReading,
    categoryExamples: found.categoryExamples ?? [],
    update: toUpdate(found),
    joined: toJoin(found),
  }
}

/** The first columns and rows of a file, as stored; null where an older release has stored none. */
export type StoredHead = {
  columns: string[] | null
  columnCount: number | null
  headRows: string[][] | null
}

/** Returns a version's first columns and rows. */
export async function readHead(deps: Deps, versionId: number) {
  return toHead(await findVersionHead(deps.db, versionId))
}

/** Cuts first columns and rows to today's limits: earlier releases stored more. */
export function toHead(stored: StoredHead | undefined) {
  const names = stored?.columns ?? []
  const head = createHead(names)
  for (const row of stored?.headRows ?? []) head.add((column) => row[column] ?? '')
  const { columns, rows: shown } = head
  return { columns, columnCount: stored?.columnCount ?? names.length, rows: shown }
}

function publishedAt(version: VersionRecord): string {
  return new Date(version.publishedAt ?? version.createdAt).toISOString()
}
