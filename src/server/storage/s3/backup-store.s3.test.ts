import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { describeBackupStore } from '../backup-store.contract'
import { createBucketBackupStore } from './backup-store-s3'
import { openBucket } from './bucket'

describeBackupStore('the backup store on S3', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'stockbridge-backups-'))
  const place = newBucketPlace()
  const bucket = await openBucket(place)
  const stores = { bucket, scratch, places: { backups: place, files: undefined } }
  return {
    store: createBucketBackupStore(stores),
    other: createBucketBackupStore(stores),
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
