import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { describeBackupStore } from '../backup-store.contract'
import { createBucketBackupStore } from './backup-store-s3'
import { openBucket } from './bucket'

describeBackupStore('the backup store on S3', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'stockbridge-backups-'))
  const bucket = await openBucket(newBucketPlace())
  return {
    store: createBucketBackupStore(bucket, scratch),
    other: createBucketBackupStore(bucket, scratch),
    async listStored() {
      const names: string[] = []
      for await (const { name } of bucket.list('')) names.push(name)
      return names
    },
    async close() {
      bucket.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
})
