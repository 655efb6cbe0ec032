import { stat } from 'node:fs/promises'

import { openDiskFileStore } from '../file-store-disk'
import { openBucket, type BucketPlace } from './bucket'
import { renewStored } from './file-store-s3'
import { nameOf } from './object-names'

/**
 * Puts all files of a store on disk into a bucket, but for those that it has.
 * @param directory of the store on disk
 * @throws UnreachableStoreError
 */
export async function uploadFiles(place: BucketPlace, directory: string): Promise<void> {
  const disk = await openDiskFileStore(directory)
  const bucket = await openBucket(place)
  try {
    for await (const { sha256 } of disk.list()) {
      const path = await disk.locate(sha256)
      const { size: sizeBytes } = await stat(path)
      if (!(await renewStored(bucket, { sha256, sizeBytes })))
        await bucket.put(nameOf(sha256), path)
    }
  } finally {
    bucket.close()
  }
}
