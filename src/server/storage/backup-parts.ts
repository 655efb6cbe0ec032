import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'

import { codeOf } from '../process/error-code'
import { toArchiveSize, toPartsSize } from './backup-archive'
import {
  encodeFileList,
  LIST_PREFIXES,
  MAX_FILE_LIST_BYTES,
  parseFileList,
  type BackupManifest,
  type FileList,
} from './backup-manifest'
import type { StoredFile } from './file-store'

/** The names of a backup's parts, which are the same in its folder and in its archive. */
export const MANIFEST_PART = 'manifest.json'
export const DATABASE_PART = 'app.db'
/** Not in the archive: whoever moves a backup elsewhere has to read it back there. */
export const READ_TIMES_PART = 'read-times.json'
export const FILES_FOLDER = 'files'
export const toFilePart = (sha256: string) => `${FILES_FOLDER}/${sha256}.csv`
export const LISTS_FOLDER = 'lists'
export const toListPart = (prefix: string) => `${LISTS_FOLDER}/${prefix}.json`

/** A part of a backup to be read. */
export type BackupPart = { name: string; sizeBytes: number; content: AsyncIterable<Uint8Array> }

/** A list of the files whose hashes begin with `prefix`. */
export type NamedFileList = FileList & { prefix: string }
/** A part that a manifest lists; with `list` if it is a list of files. */
export type ListedPart = StoredFile & { name: string; list?: NamedFileList }

/**
 * The parts that a manifest lists, in the order in which they follow it in an archive: the database, and the files,
 * those of a list after it.
 * @param readList reads a list, once it has been passed on
 */
export async function* listParts(
  manifest: Pick<BackupManifest, 'database' | 'files' | 'fileLists'>,
  readList: (list: NamedFileList) => Promise<readonly StoredFile[]>,
): AsyncGenerator<ListedPart> {
  yield { ...toStoredFile(manifest.database), name: DATABASE_PART }
  for (const file of manifest.files) yield toPart(file)
  for (const list of nameFileLists(manifest)) {
    yield { ...toStoredFile(list), name: toListPart(list.prefix), list }
    for (const file of await readList(list)) yield toPart(file)
  }
}

/** The inventory files of a backup, those of its lists too. */
export async function* listFiles(
  manifest: Pick<BackupManifest, 'files' | 'fileLists'>,
  readList: (list: NamedFileList) => Promise<readonly StoredFile[]>,
): AsyncGenerator<StoredFile> {
  yield* manifest.files
  for (const list of nameFileLists(manifest)) yield* await readList(list)
}

const toStoredFile = ({ sha256, sizeBytes }: StoredFile) => ({ sha256, sizeBytes })
const toPart = (file: StoredFile) => ({ ...file, name: toFilePart(file.sha256) })

/** The lists of files of a backup; of one without many files, none. */
export const nameFileLists = ({
  fileLists = [],
}: Pick<BackupManifest, 'fileLists'>): NamedFileList[] =>
  fileLists.map((list, index) => ({ ...list, prefix: LIST_PREFIXES[index] ?? '' }))

/** The size of a backup's archive in bytes. */
export function toBackupSize(
  { database, files, fileLists = [] }: Pick<BackupManifest, 'database' | 'files' | 'fileLists'>,
  manifestBytes: number,
): number {
  const sizes = [database, ...files, ...fileLists].map(({ sizeBytes }) => sizeBytes)
  const ofLists = fileLists.reduce((sum, { archiveBytes }) => sum + archiveBytes, 0)
  return toArchiveSize([manifestBytes, ...sizes]) + ofLists
}

/** A list of files as it is written, and as a manifest names it. */
export function describeFileList(files: readonly StoredFile[]): { text: string; list: FileList } {
  const text = encodeFileList(files)
  const list = {
    sha256: toHash(text),
    sizeBytes: Buffer.byteLength(text),
    ...measureFiles(files),
  }
  return { text, list }
}

const measureFiles = (files: readonly StoredFile[]) => ({
  fileCount: files.length,
  archiveBytes: toPartsSize(files.map(({ sizeBytes }) => sizeBytes)),
})

/** Reads a list of files; undefined if it is not what the manifest says of it. */
export async function readFileList(
  content: AsyncIterable<Uint8Array>,
  { prefix, ...expected }: NamedFileList,
): Promise<StoredFile[] | undefined> {
  const bytes = await readShort(content)
  if (!bytes || toHash(bytes) !== expected.sha256) return undefined
  const files = parseFileList(bytes.toString(), prefix)
  if (!files) return undefined
  const { fileCount, archiveBytes } = measureFiles(files)
  const isAsSaid = fileCount === expected.fileCount && archiveBytes === expected.archiveBytes
  return isAsSaid ? files : undefined
}

const toHash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

async function readShort(content: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    length += chunk.byteLength
    if (length > MAX_FILE_LIST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads content to its end to compute its hash and size. */
export async function measure(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content) {
    signal.throwIfAborted()
    hash.update(chunk)
    sizeBytes += chunk.byteLength
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** Of a part that is read: small enough to be hashed on the event loop. */
export const CHUNK_BYTES = 256 * 1024

/** Opens a part in a backup's folder. */
export const openPart = (folder: string, name: string) =>
  createReadStream(join(folder, name), { highWaterMark: CHUNK_BYTES })

/** Returns undefined when the part does not exist. */
export async function measurePart(
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<StoredFile | undefined> {
  try {
    return await measure(openPart(folder, name), signal)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}
