import type { Config } from '../../../config'
import { measureBacklog } from '../../../db/backlog.queries'
import type { Db } from '../../../db/open'
import type { DiskState, StoredState } from '../../../observability/metrics'
import type { FileStore } from '../../../storage/file-store'
import { reservedBytesOf } from '../../../storage/reserved-space'
import { countConnectionsByHealth } from '../../catalogue/connections/connection-activity.queries'
import { GRACE_MS } from '../../catalogue/connections/freshness'

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
