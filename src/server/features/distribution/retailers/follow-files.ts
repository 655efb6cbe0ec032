import type { WriteTransaction } from '../../../db/open'
import { makeDue } from '../destinations/destinations.queries'
import { checkMergedFilesOf, type PartsOf } from '../merged-files/merged-files.queries'

/** What follows when the files of retailers become others: they are sent and merged anew. */
export async function followFiles(trx: WriteTransaction, of: PartsOf, now: number): Promise<void> {
  await makeDue(trx, of, now)
  await checkMergedFilesOf(trx, of, now)
}
