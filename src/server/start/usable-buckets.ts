import { ConfigError, type Config } from '../config'
import { openBucket, type BucketPlace } from '../storage/s3/bucket'
import { describeBucket } from '../storage/s3/bucket-place'
import { RefusedStoreError, UnreachableStoreError } from '../storage/s3/store-errors'

/**
 * Tries the buckets that the configuration names, so that a wrong key is told at the start and not by the
 * first sync. A server that does not answer may answer later.
 * @throws ConfigError for a bucket that its server refuses
 */
export async function requireUsableBuckets({
  bucket,
  backupBucket,
}: Pick<Config, 'bucket' | 'backupBucket'>): Promise<void> {
  const places = [bucket, backupBucket].filter((place) => place !== undefined)
  await Promise.all(places.map(requireUsable))
}

async function requireUsable(place: BucketPlace): Promise<void> {
  const bucket = await openBucket(place)
  try {
    await bucket.check()
  } catch (error) {
    if (error instanceof RefusedStoreError) {
      throw new ConfigError(`${describeBucket(place)} cannot be used. ${error.message}.`)
    }
    if (!(error instanceof UnreachableStoreError)) throw error
  } finally {
    bucket.close()
  }
}
