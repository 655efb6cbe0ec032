import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'

import { DAY_MS, MINUTE_MS } from '../../../shared/durations'
import { mapLimited } from '../../concurrency/map-limited'
import type { FileStore, StoredFile } from '../file-store'
import { REQUESTS_AT_ONCE, type Bucket } from './bucket'
import { CACHE_OWNER, createFileCache } from './file-cache'
import { nameOf, STORED_FILES } from './object-names'

/** Servers refuse requests from clocks that differ by more; theirs may be behind ours by as much. */
const CLOCK_DIFFERENCE_MS = 15 * MINUTE_MS
/** Longer than any run. */
const MAX_UPLOAD_MS = DAY_MS

const NAME = /^files\/[0-9a-f]{2}\/(?<sha256>[0-9a-f]{64})\.csv$/

/**
 * Files in a bucket: `files/{first two digits of the hash}/{hash}.csv`. A store on disk has their drafts,
 * and those that this machine has written or read.
 * @param options.maxCacheBytes how much of them it keeps
 * @param options.minFreeBytes keeps less while the disk has less than this free; see `reservedBytesOf`
 * @param options.now Unix milliseconds
 */
export function createS3FileStore(
  bucket: Bucket,
  disk: FileStore,
  {
    maxCacheBytes,
    minFreeBytes,
    now,
  }: { maxCacheBytes: number; minFreeBytes: number | undefined; now: () => number },
): FileStore {
  const cache = createFileCache(disk, {
    maxBytes: maxCacheBytes,
    minFreeBytes,
    read: (sha256) => bucket.read(nameOf(sha256)),
    now,
  })

  async function deleteAll(sha256s: readonly string[]): Promise<readonly string[]> {
    await bucket.deleteAll(sha256s.map(nameOf))
    return sha256s
  }

  /** Each at once after it has been asked for: it may be stored again meanwhile. */
  async function deleteOld(sha256s: readonly string[], storedBefore: number): Promise<string[]> {
    const gone = await mapLimited(sha256s, REQUESTS_AT_ONCE, async (sha256) => {
      const found = await bucket.find(nameOf(sha256))
      if (found && found.putAt + CLOCK_DIFFERENCE_MS >= storedBefore) return []
      await bucket.delete(nameOf(sha256))
      return [sha256]
    })
    return gone.flat()
  }

  async function* listFrom(first: string) {
    yield* bucket.list(STORED_FILES, first)
    if (first === STORED_FILES) return
    for await (const object of bucket.list(STORED_FILES)) {
      if (object.name >= first) return
      yield object
    }
  }

  return {
    createDraft(owner) {
      const draft = disk.createDraft(owner)
      return {
        ...draft,
        async commit(content) {
          await requireSize(draft.path, content.sizeBytes)
          const name = nameOf(content.sha256)
          // What others read under this hash is never replaced, on this machine neither.
          const isPut = await bucket.putNew(name, draft.path)
          if (!isPut && (await renewStored(bucket, content))) return draft.discard()
          await draft.commit(content)
          if (!isPut) await bucket.put(name, await disk.locate(content.sha256))
          await cache.noteAdded(content.sizeBytes)
        },
      }
    },
    presign: (sha256, seconds, headers) => bucket.presign(nameOf(sha256), seconds, headers),
    locate: (sha256) => cache.fetch(sha256),
    async read(sha256) {
      const handle = await open(await cache.fetch(sha256), 'r')
      return handle.createReadStream()
    },
    async readRange(sha256, range) {
      const isHere = (await cache.find(sha256)) !== undefined
      return isHere
        ? disk.readRange(sha256, range)
        : buffer(await bucket.read(nameOf(sha256), range))
    },
    async openToSend(sha256, range) {
      const isHere = (await cache.findOrFetchAhead(sha256)) !== undefined
      return isHere ? disk.openToSend(sha256, range) : bucket.read(nameOf(sha256), range)
    },
    async copyTo(sha256, path) {
      await cache.fetch(sha256)
      await disk.copyTo(sha256, path)
    },
    has: async (sha256) => (await bucket.find(nameOf(sha256))) !== undefined,
    async delete(sha256s, storedBefore) {
      const deleteFiles = storedBefore === Infinity ? deleteAll : deleteOld
      const gone = await deleteFiles(sha256s, storedBefore)
      await disk.delete(gone, Infinity)
      return gone
    },
    async *list(from = '') {
      for await (const { name, putAt } of listFrom(STORED_FILES + from)) {
        const sha256 = NAME.exec(name)?.groups?.sha256
        if (sha256) yield { sha256, storedAt: putAt + CLOCK_DIFFERENCE_MS }
      }
    },
    async removeDrafts(findLiveOwners) {
      await cache.evict()
      const uploads = await bucket.abortUploads(now() - MAX_UPLOAD_MS)
      const drafts = await disk.removeDrafts(
        async () => new Set([...(await findLiveOwners()), CACHE_OWNER]),
      )
      return uploads + drafts
    },
    async check() {
      await disk.check()
      await bucket.check()
    },
    measureSpace: () => disk.measureSpace(),
  }
}

/** Returns whether the content is stored already; then it counts as new. */
export async function renewStored(
  bucket: Bucket,
  { sha256, sizeBytes }: StoredFile,
): Promise<boolean> {
  const stored = await bucket.find(nameOf(sha256))
  if (!stored) return false
  if (stored.sizeBytes !== sizeBytes) throw new Error('Two contents have the same hash')
  // The stored file may be deleted meanwhile.
  return bucket.renew(nameOf(sha256)).then(() => true, ignoreMissing)
}

/** The draft may have been written by a process that is not trusted. */
async function requireSize(path: string, sizeBytes: number): Promise<void> {
  const written = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    if ((await written.stat()).size !== sizeBytes)
      throw new Error('The draft has an unexpected size')
  } finally {
    await written.close()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOENT') throw error
  return false
}
