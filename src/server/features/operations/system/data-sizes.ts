import { DAY_MS } from '../../../../shared/durations'
import { measureStoredFiles } from '../../../db/database-content'
import { engineOf } from '../../../db/engine'
import { inTransaction } from '../../../db/open'
import type { DataSizesRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { UnreachableStoreError } from '../../../storage/s3/store-errors'
import { deleteDataSizesBefore, insertDataSizes, listDataSizes } from './data-sizes.queries'

const KEPT_MS = 400 * DAY_MS

const dayOf = (time: number) => time - (time % DAY_MS)

/** Measures how large everything is, unless that has been done today. */
export async function measureDataSizes(deps: Deps): Promise<void> {
  const startedAt = dayOf(deps.clock.now())
  if ((await listDataSizes(deps.db, startedAt)).length > 0) return
  const { freeBytes, totalBytes } = await deps.files.measureSpace()
  const row: DataSizesRow = {
    startedAt,
    databaseBytes: await engineOf(deps.db).measureBytes(),
    filesBytes: await measureStoredFiles(deps.db),
    backupsBytes: await measureBackups(deps),
    freeBytes,
    totalBytes,
  }
  await inTransaction(deps.db, async (trx) => {
    await insertDataSizes(trx, row)
    await deleteDataSizesBefore(trx, startedAt - KEPT_MS)
  })
}

/** What backups share is stored once. */
async function measureBackups({ backups }: Deps): Promise<number | null> {
  try {
    const files = new Map<string, number>()
    let databases = 0
    for (const { manifest } of await backups.list()) {
      databases += manifest.database.sizeBytes
      for (const { sha256, sizeBytes } of manifest.files) files.set(sha256, sizeBytes)
    }
    return [...files.values()].reduce((sum, bytes) => sum + bytes, databases)
  } catch (error) {
    if (error instanceof UnreachableStoreError) return null
    throw error
  }
}
