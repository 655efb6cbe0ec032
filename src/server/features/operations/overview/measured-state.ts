import type { Config } from '../../../config'
import { measureBacklog, type Backlog } from '../../../db/backlog.queries'
import type { Db } from '../../../db/open'
import type { FileStore } from '../../../storage/file-store'
import { reservedBytesOf } from '../../../storage/reserved-space'
import { countConnectionsByHealth } from '../../catalogue/connections/connection-activity.queries'
import { GRACE_MS } from '../../catalogue/connections/freshness'

/** What metrics tell of the database: the same in every process, and after a restart. */
export type StoredState = Backlog & {
  /** Active connections; one may be counted in several of these. */
  feeds: { failing: number; held: number; late: number }
}

/** The disk of the data folder of this machine. */
export type DiskState = {
  freeBytes: number
  /** Syncs wait while less than this is free. */
  reservedBytes: number
}

export async function measureStored(db: Db, now: number): Promise<StoredState> {
  const { failing, held, late } = await countConnectionsByHealth(db, now, GRACE_MS)
  return { ...(await measureBacklog(db, now)), feeds: { failing, held, late } }
}

export async function measureDisk(
  files: Pick<FileStore, 'measureSpace'>,
  { minFreeBytes }: Pick<Config, 'minFreeBytes'>,
): Promise<DiskState> {
  const { freeBytes, totalBytes } = await files.measureSpace()
  return { freeBytes, reservedBytes: reservedBytesOf(totalBytes, minFreeBytes) }
}
