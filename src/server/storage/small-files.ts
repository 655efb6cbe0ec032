import { buffer } from 'node:stream/consumers'

import { LRUCache } from 'lru-cache'

import type { FileStore } from './file-store'

const MAX_FILE_BYTES = 1024 * 1024
const MAX_TOTAL_BYTES = 32 * 1024 * 1024

export type SmallFiles = ReturnType<typeof createSmallFiles>

/**
 * The contents of small stored files that were read last: of at most 1 MB, 32 MB in all. They never go
 * stale: a hash names its content. Concurrent readers of a file read it from disk once.
 */
export function createSmallFiles(files: Pick<FileStore, 'read'>) {
  const contents = new LRUCache<string, Buffer>({
    maxSize: MAX_TOTAL_BYTES,
    // An empty file takes a place too.
    sizeCalculation: (content) => content.length + 1,
    fetchMethod: async (sha256) => buffer(await files.read(sha256)),
  })
  const keeps = (sizeBytes: number) => sizeBytes <= MAX_FILE_BYTES
  return {
    /** Whether a file of this size is kept in memory once it was read. */
    keeps,
    /**
     * Reads a stored file, from memory if possible. undefined for a file that is too large to be kept;
     * rejects if there is none.
     */
    async read(sha256: string, sizeBytes: number): Promise<Buffer | undefined> {
      return !keeps(sizeBytes) ? undefined : contents.fetch(sha256)
    },
    /** Returns a stored file if it is in memory. */
    recall: (sha256: string): Buffer | undefined => contents.get(sha256),
  }
}
