import { createReadStream } from 'node:fs'
import { mkdir, statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { MINUTE_MS } from '../../shared/durations'
import { formatFileSize } from '../../shared/format'
import type { Config } from '../config'
import { findUnknownMigrations } from '../db/migrate'
import { limitSql } from '../db/sqlite/sql-process'
import { DomainError } from '../domain/errors'
import {
  verifyDatabase,
  verifyFiles,
  verifyNamedFiles,
} from '../features/operations/backups/backup-verification'
import {
  MAX_FILES_IN_LIST,
  MAX_MANIFEST_BYTES,
  parseManifest,
  toBackupName,
  type BackupManifest,
} from '../storage/backup-manifest'
import {
  DATABASE_PART,
  listParts,
  LISTS_FOLDER,
  MANIFEST_PART,
  measure,
  measurePart,
  nameFileLists,
  readFileList,
  toBackupSize,
  toListPart,
  type BackupPart,
  type ListedPart,
  type NamedFileList,
} from '../storage/backup-parts'
import type { BackupSource } from '../storage/backup-source'
import type { FileStore, StoredFile } from '../storage/file-store'
import { openDiskFileStore } from '../storage/file-store-disk'
import { readFreeBytes } from '../storage/free-bytes'
import { reservedBytesOf } from '../storage/reserved-space'
import { openScratchFile } from '../storage/scratch-file'
import { prepareDatabase } from './prepare-database'
import { notUsable, requireTrust, type Trust } from './restore-trust'

/** The owner name for the scratch files of a restore. */
const OWNER = 'restore'
/** The time limit per query on an untrusted database; a genuine one needs a fraction of it. */
const READING_MS = MINUTE_MS
const READING_MS_PER_MB = 1_000

/** Left free on the disk in any case while the product keeps writing. */
export const SPARE_BYTES = 64 * 1024 * 1024

/** What the product needs of the disk of a folder while it keeps writing: it stops syncs below that. */
export async function readSpareBytes(
  { minFreeBytes }: Pick<Config, 'minFreeBytes'>,
  folder: string,
): Promise<number> {
  const { blocks, bsize } = await statfs(folder)
  return Math.max(SPARE_BYTES, reservedBytesOf(blocks * bsize, minFreeBytes))
}

/** Where a backup is unpacked: beside the final places of its database and its files. */
export type StagingArea = { databasePath: string; filesPath: string }

export type Staging = {
  /** Unix milliseconds. */
  now: number
  report(line: string): void | Promise<void>
  trust: Trust
  /** Ends it early. */
  signal?: AbortSignal
  /** Disk space to leave free. */
  spareBytes?: number
  /** Brings the database to the newest schema; in this thread by default. */
  prepare?: (databasePath: string, now: number, signal: AbortSignal) => Promise<void>
}

/**
 * Unpacks a backup strictly according to its manifest, reads everything back, verifies it, and
 * migrates its database to the newest schema. Nothing outside the staging area is touched.
 * @returns the backup's name
 * @throws DomainError for a backup that is damaged, cut off, changed, not signed by a known key, or
 *   newer than this product; the signal's reason
 */
export async function stageBackup(
  source: BackupSource,
  area: StagingArea,
  { now, report, trust, spareBytes = 0, ...staging }: Staging,
): Promise<string> {
  const { signal = new AbortController().signal, prepare = prepareDatabase } = staging
  const { manifest, sizeBytes } = await readManifest(source)
  await report(requireTrust(manifest, trust))
  requireWholeArchive(source, manifest, sizeBytes)
  await requireSpace(area, manifest, spareBytes)
  const files = await openDiskFileStore(area.filesPath)
  await report('Unpacking')
  await unpack(source, area, { files, manifest, signal })
  await report('Checking')
  await verify(area, { files, manifest, signal })
  await report('Preparing the database')
  await prepare(area.databasePath, now, signal)
  return toBackupName(manifest.createdAt)
}

/** The name of a backup according to its manifest, whatever its file is called. */
export async function readBackupName(source: BackupSource): Promise<string> {
  const { manifest } = await readManifest(source)
  return toBackupName(manifest.createdAt)
}

/** @throws DomainError INVALID for what is no backup, or one of a newer version */
export async function readManifest({ parts }: BackupSource) {
  const next = await parts.next()
  const part = next.done ? undefined : next.value
  if (part?.name !== MANIFEST_PART || part.sizeBytes > MAX_MANIFEST_BYTES) {
    throw notUsable('it has no manifest')
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of part.content) chunks.push(chunk)
  const parsed = parseManifest(Buffer.concat(chunks).toString())
  if ('problem' in parsed) throw notUsable(parsed.problem)
  const unknown = findUnknownMigrations(parsed.manifest.migrations)
  if (unknown.length > 0) {
    const { productVersion } = parsed.manifest
    throw notUsable(`version ${productVersion} made it, whose database has ${unknown.join(', ')}`)
  }
  return { manifest: parsed.manifest, sizeBytes: part.sizeBytes }
}

function requireWholeArchive(
  source: BackupSource,
  manifest: BackupManifest,
  manifestBytes: number,
) {
  const expected = toBackupSize(manifest, manifestBytes)
  if (source.archiveBytes === null || source.archiveBytes === expected) return
  throw notUsable(`it has ${source.archiveBytes} bytes instead of ${expected}`)
}

async function requireSpace(
  area: StagingArea,
  manifest: BackupManifest,
  spareBytes: number,
): Promise<void> {
  const sizes = [manifest.database, ...manifest.files].map(({ sizeBytes }) => sizeBytes)
  const ofLists = nameFileLists(manifest).map(
    ({ sizeBytes, archiveBytes }) => sizeBytes + archiveBytes,
  )
  const needed = [...sizes, ...ofLists].reduce((sum, bytes) => sum + bytes, spareBytes)
  for (const folder of [area.databasePath, area.filesPath].map(dirname)) {
    const free = await readFreeBytes(folder)
    if (free >= needed) continue
    const [wanted, left] = [needed, free].map((bytes) => formatFileSize(bytes, 0))
    const message = `Restoring needs ${wanted} of disk space, and ${left} are free in ${folder}`
    throw new DomainError('UNAVAILABLE', message)
  }
}

type Unpacking = { files: FileStore; manifest: BackupManifest; signal: AbortSignal }

/** Where the lists of a backup are kept until its files have been checked. */
const toListPath = ({ databasePath }: StagingArea, { prefix }: NamedFileList) =>
  join(dirname(databasePath), toListPart(prefix))

/** Where a part is written that is not an inventory file. */
function toStagedPath(area: StagingArea, { name, list }: ListedPart): string | undefined {
  if (list) return toListPath(area, list)
  return name === DATABASE_PART ? area.databasePath : undefined
}

/** Unpacks the parts in the order of the manifest. Names in the archive are never used as paths. */
async function unpack(
  { parts }: BackupSource,
  area: StagingArea,
  { files, manifest, signal }: Unpacking,
): Promise<void> {
  const readList = (list: NamedFileList) => readStagedList(area, list)
  const listsPath = join(dirname(area.databasePath), LISTS_FOLDER)
  if (manifest.fileLists) await mkdir(listsPath, { mode: 0o700 })
  for await (const wanted of listParts(manifest, readList)) {
    const next = await parts.next()
    if (next.done) throw notUsable(`${wanted.name} is missing`)
    const part = next.value
    if (part.name !== wanted.name || part.sizeBytes !== wanted.sizeBytes) {
      throw notUsable(`${wanted.name} is missing or has another size`)
    }
    const path = toStagedPath(area, wanted)
    if (path === undefined) await storeFile(files, part, signal)
    else await writeFile(path, part.content, { flag: 'wx', mode: 0o600, signal })
  }
  const more = await parts.next()
  if (!more.done) throw notUsable(`its manifest does not list ${more.value.name}`)
}

/** @throws DomainError INVALID if the list is not what the manifest says of it */
async function readStagedList(area: StagingArea, list: NamedFileList): Promise<StoredFile[]> {
  const files = await readFileList(createReadStream(toListPath(area, list)), list)
  if (!files) throw notUsable(`${toListPart(list.prefix)} was changed`)
  return files
}

/** Reads everything back. */
async function verify(area: StagingArea, { files, manifest, signal }: Unpacking): Promise<void> {
  const limitMs = READING_MS + (manifest.database.sizeBytes / 1e6) * READING_MS_PER_MB
  const parts = toBackupParts(area, files)
  const reading = { signal, runSql: limitSql(limitMs) }
  await verifyDatabase(parts, manifest, reading)
  for (const lists of groupLists(manifest)) {
    const listed = new Map<string, readonly StoredFile[]>()
    for (const list of lists) listed.set(list.prefix, await readStagedList(area, list))
    if (lists.length === 0) listed.set('', manifest.files)
    await verifyNamedFiles(parts.databasePath, listed, reading)
    for (const some of listed.values()) await verifyFiles(parts, some, signal)
  }
}

/** The lists of a backup, so many together that their files fit in memory; of one without lists, one empty group. */
function groupLists(manifest: BackupManifest): NamedFileList[][] {
  const groups: NamedFileList[][] = [[]]
  let fileCount = 0
  for (const list of nameFileLists(manifest)) {
    fileCount += list.fileCount
    if (fileCount > MAX_FILES_IN_LIST) {
      groups.push([])
      fileCount = list.fileCount
    }
    groups.at(-1)?.push(list)
  }
  return groups
}

/** Stores a part under the hash of its actual content; the verification finds wrong hashes. */
async function storeFile(
  files: FileStore,
  { content }: BackupPart,
  signal: AbortSignal,
): Promise<void> {
  const draft = files.createDraft(OWNER)
  const scratch = await openScratchFile(draft.path)
  try {
    for await (const chunk of content) {
      signal.throwIfAborted()
      await scratch.write(chunk)
    }
    await draft.commit(await scratch.finish())
  } catch (error) {
    await scratch.discard()
    throw error
  }
}

function toBackupParts({ databasePath }: StagingArea, files: FileStore) {
  return {
    databasePath,
    measureDatabase: (signal: AbortSignal) =>
      measurePart(dirname(databasePath), basename(databasePath), signal),
    measureFile: async (sha256: string, signal: AbortSignal) =>
      (await files.has(sha256)) ? measure(await files.read(sha256), signal) : undefined,
  }
}
