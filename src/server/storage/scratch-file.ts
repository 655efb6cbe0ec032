import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'

import type { StoredFile } from './file-store'

const READ_SIZE = 64 * 1024

/** A scratch file that is being written. */
export interface ScratchFile {
  path: string
  /** The caller may reuse the chunk's memory once this has settled. */
  write(chunk: Uint8Array): Promise<void>
  /** Reads what has been written so far, from the beginning; may be called more than once. */
  read(): AsyncIterable<Uint8Array>
  /** Closes the file and returns its hash and size. */
  finish(): Promise<StoredFile>
  /** Closes the file and removes it. */
  discard(): Promise<void>
}

/** Creates the file at `path`, or empties it if it exists. */
export async function openScratchFile(path: string): Promise<ScratchFile> {
  const handle = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let sizeBytes = 0
  return {
    path,
    async write(chunk) {
      hash.update(chunk)
      sizeBytes += chunk.byteLength
      await writeFully(handle, chunk)
    },
    read: () => createReadStream(path, { highWaterMark: READ_SIZE }),
    async finish() {
      await handle.close()
      return { sha256: hash.digest('hex'), sizeBytes }
    },
    async discard() {
      await handle.close()
      await rm(path, { force: true })
    },
  }
}

async function writeFully(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0
  while (offset < chunk.byteLength) {
    const { bytesWritten } = await handle.write(chunk, offset)
    offset += bytesWritten
  }
}
