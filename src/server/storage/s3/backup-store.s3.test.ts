import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { newBucketPlace } from '../../testing/stages/s3-bucket'
import { describeBackupStore } from '../backup-store.contract'
import { createBucketBackupStore } from './backup-store-s3'
import { openBucket } from './bucket'

describeBackupStore('the backup store on S3', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'stockbridge-backups-'))
  const place = newBucketPlace()
  const bucket = await openBucket(place)
  const stores = { bucket, scratch, places: { backups: place, files: undefined } }
  const listStored = async () => {
    const names: string[] = []
    for await (const { name } of bucket.list('')) names.push(name)
    return names
  }
  return {
    store: createBucketBackupStore(stores),
    other: createBucketBackupStore(stores),
    listStored,
    async damage(end) {
      const path = join(scratch, 'damaged')
      for (const name of (await listStored()).filter((each) => each.endsWith(end))) {
        await writeFile(path, (await buffer(await bucket.read(name))).fill(' ', 0, 1))
        await bucket.put(name, path)
      }
    },
    async close() {
      bucket.close()
      await rm(scratch, { recursive: true, force: true })
    },
  }
})
