import { buffer } from 'node:stream/consumers'

import { LRUCache } from 'lru-cache'

import type { FileStore } from './file-store'

const MAX_FILE_BYTES = 1024 * 1024
const MAX_TOTAL_BYTES = 32 * 1024 * 1024

/** The contents of small stored files that were read last. They never go stale: a hash names its content. */
export type SmallFiles = {
  /**
   * Reads a stored file, from memory if possible. undefined for a file that is too large to be kept;
   * rejects if there is none.
   */
  read(sha256: string, sizeBytes: number): Promise<Buffer | undefined>
}

/** Keeps files of at most 1 MB, 32 MB in all; concurrent readers of a file read it from disk once. */
export function createSmallFiles(files: Pick<FileStore, 'read'>): SmallFiles {
  const contents = new LRUCache<string, Buffer>({
    maxSize: MAX_TOTAL_BYTES,
    // An empty file takes a place too.
    sizeCalculation: (content) => content.length + 1,
    fetchMethod: async (sha256) => buffer(await files.read(sha256)),
  })
  return {
    async read(sha256, sizeBytes) {
      return sizeBytes > MAX_FILE_BYTES ? undefined : contents.fetch(sha256)
    },
  }
}
