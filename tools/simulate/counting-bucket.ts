import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'

import type { FileStore } from '../../src/server/storage/file-store'
import type { Bucket } from '../../src/server/storage/s3/bucket'
import { createS3FileStore } from '../../src/server/storage/s3/file-store-s3'
import type { BucketRequests } from './costs'

/** Lets a file store on disk keep its files in a bucket in memory, which counts its requests. */
export function countBucketRequests(files: FileStore): () => BucketRequests {
  const objects = new Map<string, Buffer>()
  const counts = { head: 0, put: 0, copy: 0, get: 0, delete: 0 }
  const missing = () => Object.assign(new Error('There is no such object'), { code: 'ENOENT' })
  const load = (name: string) => {
    const object = objects.get(name)
    if (!object) throw missing()
    return object
  }
  const bucket: Bucket = {
    async put(name, path) {
      counts.put += 1
      objects.set(name, await readFile(path))
    },
    async putNew(name, path) {
      counts.put += 1
      if (objects.has(name)) return false
      objects.set(name, await readFile(path))
      return true
    },
    copyFrom: async () => false,
    async renew(name) {
      counts.copy += 1
      objects.set(name, load(name))
    },
    async read(name) {
      counts.get += 1
      return Readable.from([load(name)])
    },
    async find(name) {
      counts.head += 1
      const object = objects.get(name)
      return object && { sizeBytes: object.length, putAt: 0 }
    },
    async delete(name) {
      counts.delete += 1
      objects.delete(name)
    },
    async deleteAll(names) {
      counts.delete += names.length
      for (const name of names) objects.delete(name)
    },
    async *list() {
      for (const [name, content] of objects) {
        yield { name, sizeBytes: content.length, putAt: 0 }
      }
    },
    abortUploads: async () => 0,
    presign: async (name) => name,
    check: async () => undefined,
    readClock: async () => null,
    close: () => undefined,
  }
  const options = { maxCacheBytes: Number.MAX_SAFE_INTEGER, minFreeBytes: 0, now: Date.now }
  Object.assign(files, createS3FileStore(bucket, { ...files }, options))
  return () => ({ ...counts })
}
