import { BACKUP_JOB } from '../../../../shared/constants'
import type { Db } from '../../../db/open'

/** Whether a backup is in progress, during which no stored file is deleted. */
export async function isBackingUp(db: Db, now: number): Promise<boolean> {
  const job = await db
    .selectFrom('cronJobs')
    .select('leaseUntil')
    .where('name', '=', BACKUP_JOB)
    .executeTakeFirst()
  return (job?.leaseUntil ?? 0) > now
}

/** Lists the leases of the cron jobs that run now. */
export async function listCronJobLeaseTokens(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('cronJobs')
    .select('leaseToken')
    .where('leaseUntil', '>', now)
    .execute()
  return rows.flatMap((row) => row.leaseToken ?? [])
}
