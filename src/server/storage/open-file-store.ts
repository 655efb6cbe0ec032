import type { Config } from '../config'
import type { FileStore } from './file-store'
import { openDiskFileStore } from './file-store-disk'
import { openBucket } from './s3/bucket'
import { createS3FileStore } from './s3/file-store-s3'

type OpenFileStore = { files: FileStore; close(): void }

/**
 * Opens the store of the inventory files: the data folder, or the bucket that the configuration names.
 * @param now Unix milliseconds
 */
export async function openFileStore(
  {
    filesDir,
    bucket: place,
    maxCacheBytes,
    minFreeBytes,
  }: Pick<Config, 'filesDir' | 'bucket' | 'maxCacheBytes' | 'minFreeBytes'>,
  now: () => number,
): Promise<OpenFileStore> {
  const disk = await openDiskFileStore(filesDir)
  if (!place) return { files: disk, close: () => undefined }
  const bucket = await openBucket(place)
  return {
    files: createS3FileStore(bucket, disk, { maxCacheBytes, minFreeBytes, now }),
    close: () => bucket.close(),
  }
}
