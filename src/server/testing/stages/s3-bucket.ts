import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { inject } from 'vitest'

import { openDiskFileStore } from '../../storage/file-store-disk'
import { openBucket, type BucketPlace } from '../../storage/s3/bucket'
import { createS3FileStore } from '../../storage/s3/file-store-s3'

/** An empty place in the bucket of this run of tests; undefined if it has none, and in benchmarks. */
export function findBucketPlace(): BucketPlace | undefined {
  const place = process.env.VITEST ? inject('bucketPlace') : undefined
  return place && { ...place, prefix: `${randomUUID()}/` }
}

/** An empty place in the bucket of this run. */
export function newBucketPlace(): BucketPlace {
  const place = findBucketPlace()
  if (!place) throw new Error('This test runs on S3 only')
  return place
}

export type Machine = Awaited<ReturnType<typeof openMachine>>

/**
 * Opens what a machine has of the files in a bucket.
 * @param options as those of `openBucket` and `createS3FileStore`
 */
export async function openMachine(
  place: BucketPlace,
  { maxCacheBytes = 1024 ** 3, minFreeBytes = 0, answerWithinMs = 2_000 } = {},
) {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-machine-'))
  const bucket = await openBucket(place, { answerWithinMs, sendWithinMs: answerWithinMs })
  const disk = await openDiskFileStore(directory)
  return {
    bucket,
    /** The store on its disk, where its cache is. */
    disk,
    store: createS3FileStore(bucket, disk, { maxCacheBytes, minFreeBytes, now: Date.now }),
    directory,
    async close() {
      bucket.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
