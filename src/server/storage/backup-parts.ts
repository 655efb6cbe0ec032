import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'

import { codeOf } from '../process/error-code'
import type { BackupManifest } from './backup-manifest'
import type { StoredFile } from './file-store'

/** The names of a backup's parts, which are the same in its folder and in its archive. */
export const MANIFEST_PART = 'manifest.json'
export const DATABASE_PART = 'app.db'
/** Not in the archive: whoever moves a backup elsewhere has to read it back there. */
export const READ_TIMES_PART = 'read-times.json'
export const FILES_FOLDER = 'files'
export const toFilePart = (sha256: string) => `${FILES_FOLDER}/${sha256}.csv`

/** A part of a backup to be read. */
export type BackupPart = { name: string; sizeBytes: number; content: AsyncIterable<Uint8Array> }

/** The parts that a manifest lists, in the order in which they follow it in an archive. */
export function listParts({ database, files }: BackupManifest): (StoredFile & { name: string })[] {
  const { sha256, sizeBytes } = database
  return [
    { name: DATABASE_PART, sha256, sizeBytes },
    ...files.map((file) => ({ ...file, name: toFilePart(file.sha256) })),
  ]
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
