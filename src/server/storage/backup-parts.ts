import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'

import type { BackupManifest } from './backup-manifest'
import type { StoredFile } from './file-store'

/** The parts of a backup, by the names they have in its folder and in its archive. */
export const MANIFEST_PART = 'manifest.json'
export const DATABASE_PART = 'app.db'
export const FILES_FOLDER = 'files'
export const toFilePart = (sha256: string) => `${FILES_FOLDER}/${sha256}.csv`

/** A part of a backup that is being read. */
export type BackupPart = { name: string; sizeBytes: number; content: AsyncIterable<Uint8Array> }

/** The parts that a manifest names, in the order in which they follow it. */
export function listParts({ database, files }: BackupManifest): (StoredFile & { name: string })[] {
  const { sha256, sizeBytes } = database
  return [
    { name: DATABASE_PART, sha256, sizeBytes },
    ...files.map((file) => ({ ...file, name: toFilePart(file.sha256) })),
  ]
}

/** Reads something to its end, a piece at a time, for its hash and its size. */
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

/** Reads a part of a backup's folder in pieces that do not hold up the event loop when hashed. */
export const openPart = (folder: string, name: string) =>
  createReadStream(join(folder, name), { highWaterMark: 256 * 1024 })

/** Undefined when the part is not there. */
export async function measurePart(
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<StoredFile | undefined> {
  try {
    return await measure(openPart(folder, name), signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
