import { DAY_MS } from '../../../../shared/durations'
import { measureNamedFiles } from '../../../db/database-content'
import { engineOf } from '../../../db/engine'
import { inTransaction } from '../../../db/open'
import type { DataSizesRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import type { StoredFile } from '../../../storage/file-store'
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
    filesBytes: (await measureNamedFiles(deps.db)).fileBytes,
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
    const stored = await backups.list()
    const databases = stored.reduce((sum, { manifest }) => sum + manifest.database.sizeBytes, 0)
    return databases + (await measureDistinct(stored.map(({ listFiles }) => listFiles())))
  } catch (error) {
    if (error instanceof UnreachableStoreError) return null
    throw error
  }
}

/**
 * How many bytes files take, each content counted once.
 * @param lists each in the order of the hashes, so that none needs to be in memory
 */
async function measureDistinct(lists: AsyncIterable<StoredFile>[]): Promise<number> {
  const readers = lists.map((list) => list[Symbol.asyncIterator]())
  const heads = await Promise.all(readers.map((reader) => reader.next()))
  let bytes = 0
  for (;;) {
    const next = heads.reduce<StoredFile | undefined>(
      (least, { done, value }) => (done || (least && least.sha256 <= value.sha256) ? least : value),
      undefined,
    )
    if (!next) return bytes
    bytes += next.sizeBytes
    for (const [index, { done, value }] of heads.entries()) {
      const reader = readers[index]
      if (reader && !done && value.sha256 === next.sha256) heads[index] = await reader.next()
    }
  }
}
