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

type LeasedTable =
  | 'connections'
  | 'variants'
  | 'compressedFiles'
  | 'cronJobs'
  | 'uploads'
  | 'digests'
  | 'itemHistories'
  | 'mergedFiles'

/** Lists the leases of live runs in these tables. */
export async function listLeaseTokens(
  db: Db,
  tables: readonly LeasedTable[],
  now: number,
): Promise<string[]> {
  const tokens: string[] = []
  for (const table of tables) {
    const leased = db.selectFrom(table).select('leaseToken').where('leaseUntil', '>', now)
    for (const { leaseToken } of await leased.execute()) if (leaseToken) tokens.push(leaseToken)
  }
  return tokens
}
