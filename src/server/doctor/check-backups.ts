import type { Deps } from '../domain/deps'
import { findLastDailyBackup } from '../features/operations/backups/backups'
import { UnreachableStoreError } from '../storage/s3/store-errors'
import { explain, type Finding } from './finding'

/** Tells what of the newest backup was read back when. There is none in a new installation. */
export async function checkBackups(deps: Deps): Promise<Finding[]> {
  const part = 'backups'
  try {
    const newest = await findLastDailyBackup(deps)
    if (!newest) return []
    const { filename, verifiedAt, filesReadSince } = newest
    const readBack = `database and new files read back ${verifiedAt}, all files since ${filesReadSince}`
    return [{ part, state: 'ok', text: `${filename}: ${readBack}` }]
  } catch (error) {
    // Told by the examination of the bucket.
    if (error instanceof UnreachableStoreError) return []
    const advice = 'Give the folder of the backups to the user that runs the product.'
    return [
      { part, state: 'problem', text: `${deps.config.backupsDir}: ${explain(error)}`, advice },
    ]
  }
}
