import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { describeDeletedAccounts } from '../deleted-accounts.contract'
import { openBucket } from './bucket'
import { createBucketDeletedAccounts } from './deleted-accounts-s3'

describeDeletedAccounts('deleted accounts on S3', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'stockbridge-deleted-'))
  const bucket = await openBucket(newBucketPlace())
  return {
    store: createBucketDeletedAccounts(bucket, scratch),
    other: createBucketDeletedAccounts(bucket, scratch),
    async close() {
      bucket.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
})
