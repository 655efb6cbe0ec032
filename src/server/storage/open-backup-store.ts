import { join } from 'node:path'

import type { Config } from '../config'
import type { BackupStore } from './backup-store'
import { openDiskBackupStore } from './backup-store-disk'
import { createBucketBackupStore } from './s3/backup-store-s3'
import { openBucket } from './s3/bucket'

type OpenBackupStore = { backups: BackupStore; close(): void }

/**
 * Opens the store of the backups: the data folder, or the bucket that the configuration names.
 * @param now the clock, in Unix milliseconds
 */
export async function openBackupStore(
  { backupsDir, backupBucket }: Pick<Config, 'backupsDir' | 'backupBucket'>,
  now: () => number,
): Promise<OpenBackupStore> {
  if (!backupBucket) {
    return { backups: await openDiskBackupStore(backupsDir, now), close: () => undefined }
  }
  const bucket = await openBucket(backupBucket)
  return {
    backups: createBucketBackupStore(bucket, join(backupsDir, 'drafts')),
    close: () => bucket.close(),
  }
}
