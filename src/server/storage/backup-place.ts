import { join } from 'node:path'

import type { Config } from '../config'
import { describeBucket } from './s3/bucket-place'

type BackupPlace = Pick<Config, 'backupsDir' | 'backupBucket'>

/** Where a backup is, for people: its folder, or its name and its bucket. */
export function describeBackup({ backupsDir, backupBucket }: BackupPlace, name: string): string {
  return backupBucket ? `${name} in ${describeBucket(backupBucket)}` : join(backupsDir, name)
}

/** Where backups are, for people: their folder, or their bucket. */
export const describeBackupPlace = ({ backupsDir, backupBucket }: BackupPlace): string =>
  backupBucket ? describeBucket(backupBucket) : backupsDir

/** What a restore is to be given for a backup: its folder, or its name in the bucket. */
export function toRestorable({ backupsDir, backupBucket }: BackupPlace, name: string): string {
  return backupBucket ? name : join(backupsDir, name)
}
