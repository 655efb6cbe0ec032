import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { extract, pack } from 'tar-stream'

import type { BackupPart } from './backup-parts'

const BLOCK_BYTES = 512
/** Two empty blocks end an archive. */
const END_BYTES = 2 * BLOCK_BYTES

/** What was read is no archive, or not a whole one. */
export class ArchiveError extends Error {}

/** A part that goes into an archive; it is opened when its turn comes. */
export type PackedPart = { name: string; sizeBytes: number; open(): Readable }

/** The bytes of the tar archive of parts of these sizes. */
export function toArchiveSize(sizes: number[]): number {
  const blocks = sizes.reduce((sum, size) => sum + 1 + Math.ceil(size / BLOCK_BYTES), 0)
  return blocks * BLOCK_BYTES + END_BYTES
}

/**
 * Packs parts into a tar archive, as fast as it is read and no faster. When its reader goes away, what
 * is open is closed.
 */
export function packArchive(parts: PackedPart[], mtime: Date): Readable {
  const archive = pack()
  const write = async () => {
    for (const { name, sizeBytes, open } of parts) {
      const entry = archive.entry({ name, size: sizeBytes, mode: 0o600, mtime })
      await pipeline(open(), entry)
    }
    archive.finalize()
  }
  write().catch((error: Error) => archive.destroy(error))
  return Readable.from(archive, { objectMode: false })
}

/**
 * Reads a tar archive, part by part; each has to be read before the next one comes.
 * @throws ArchiveError
 */
export async function* readArchive(path: string): AsyncGenerator<BackupPart> {
  const archive = extract()
  // What goes wrong with the file is thrown by the loop.
  const reading = pipeline(createReadStream(path), archive).catch(() => undefined)
  try {
    for await (const entry of archive) {
      const { name, size, type } = entry.header
      // A link or a folder has no content: it is no part of a backup, whatever its name.
      const content = readEntry(entry as AsyncIterable<Uint8Array>)
      yield { name: type === 'file' ? name : `${type} ${name}`, sizeBytes: size, content }
    }
  } catch (error) {
    throw new ArchiveError((error as Error).message)
  }
  await reading
}

async function* readEntry(entry: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* entry
  } catch (error) {
    throw new ArchiveError((error as Error).message)
  }
}
