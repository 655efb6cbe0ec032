import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { extract, pack } from 'tar-stream'

import type { BackupPart } from './backup-parts'

const BLOCK_BYTES = 512
/** An archive ends with two empty blocks. */
const END_BYTES = 2 * BLOCK_BYTES

/** The file is not a tar archive, or is incomplete. */
export class ArchiveError extends Error {}

/** A part to pack into an archive; it is opened when the parts before it have been packed. */
export type PackedPart = { name: string; sizeBytes: number; open(): Readable }

/** The size in bytes of a tar archive with parts of these sizes. */
export function toArchiveSize(sizes: number[]): number {
  const blocks = sizes.reduce((sum, size) => sum + 1 + Math.ceil(size / BLOCK_BYTES), 0)
  return blocks * BLOCK_BYTES + END_BYTES
}

/**
 * Packs parts into a tar archive, with backpressure. When the stream is destroyed, the open part is
 * closed.
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
 * Reads a tar archive part by part; each must be read to its end before the next one is requested.
 * @throws ArchiveError
 */
export async function* readArchive(path: string): AsyncGenerator<BackupPart> {
  const archive = extract()
  // Errors are thrown by the loop below.
  const reading = pipeline(createReadStream(path), archive).catch(() => undefined)
  try {
    for await (const entry of archive) {
      const { name, size, type } = entry.header
      // A link or a folder must not pass for a part of a backup, so its name is changed.
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
