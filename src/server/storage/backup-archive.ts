import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { pack } from 'tar-stream'

export const BLOCK_BYTES = 512
/** An archive ends with two empty blocks. */
const END_BYTES = 2 * BLOCK_BYTES

/** A part to pack into an archive; it is opened when the parts before it have been packed. */
export type PackedPart = { name: string; sizeBytes: number; open(): Readable | Promise<Readable> }

/** The size in bytes of a tar archive with parts of these sizes. */
export function toArchiveSize(sizes: number[]): number {
  return toPartsSize(sizes) + END_BYTES
}

/** What parts of these sizes take in an archive, in bytes. */
export function toPartsSize(sizes: number[]): number {
  return sizes.reduce((sum, size) => sum + 1 + Math.ceil(size / BLOCK_BYTES), 0) * BLOCK_BYTES
}

/**
 * Packs parts into a tar archive, with backpressure. When the stream is destroyed, the open part is
 * closed.
 */
export function packArchive(
  parts: Iterable<PackedPart> | AsyncIterable<PackedPart>,
  mtime: Date,
): Readable {
  const archive = pack()
  const write = async () => {
    for await (const { name, sizeBytes, open } of parts) {
      // First: an entry that is never written would fail without anybody to hear of it.
      const content = await open()
      if (archive.destroyed) return void content.destroy()
      await pipeline(content, archive.entry({ name, size: sizeBytes, mode: 0o600, mtime }))
    }
    archive.finalize()
  }
  write().catch((error: Error) => archive.destroy(error))
  const packed = Readable.from(archive, { objectMode: false })
  // One that is destroyed before it is read does not destroy what it reads from.
  packed.once('close', () => archive.destroy())
  return packed
}
