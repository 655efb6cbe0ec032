import type { Db, WriteTransaction } from '../../../db/open'
import { deleteSomeOf } from '../../../db/queries-kit/delete-in-batches'
import { prepare } from '../../../db/queries-kit/prepare'
import type { AssignmentRow } from '../../../db/schema'

const selectDownloads = (db: Db, retailerId: number) =>
  db.selectFrom('downloads').selectAll().where('retailerId', '=', retailerId)

type OfVersion = { retailerId: number; versionId: number }

const selectDownload = prepare((db, { retailerId, versionId }: OfVersion) =>
  selectDownloads(db, retailerId).where('versionId', '=', versionId),
)

export function findDownload(
  db: Db,
  retailerId: number,
  versionId: number,
): Promise<AssignmentRow | undefined> {
  return selectDownload(db, { retailerId, versionId }).executeTakeFirst()
}

export function findDownloadByFileName(
  db: Db,
  retailerId: number,
  fileName: string,
): Promise<AssignmentRow | undefined> {
  return selectDownloads(db, retailerId).where('fileName', '=', fileName).executeTakeFirst()
}

/** The newest ones, of which more are not kept. */
const MAX_CONTENTS = 200

/** What files of a retailer were, newest first. */
export function listContents(db: Db, retailerId: number) {
  return db
    .selectFrom('downloads')
    .select(['versionId', 'contentSha256', 'contentViewKey', 'contentSince'])
    .where('retailerId', '=', retailerId)
    .where('contentSha256', 'is not', null)
    .orderBy('downloadedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_CONTENTS)
    .$narrowType<{ contentSha256: string; contentViewKey: string; contentSince: number }>()
    .execute()
}

/** Finds the last file of a retailer before a version. */
export function findDownloadBefore(
  db: Db,
  retailerId: number,
  versionId: number,
): Promise<AssignmentRow | undefined> {
  return selectDownloads(db, retailerId)
    .where('versionId', '<', versionId)
    .orderBy('versionId', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Inserts or updates the one row of a retailer and version. */
export async function saveDownload(
  trx: WriteTransaction,
  download: Omit<AssignmentRow, 'id' | 'pullCount' | 'lastPulledAt'>,
): Promise<void> {
  const { retailerId: _retailer, versionId: _version, ...changes } = download
  await trx
    .insertInto('downloads')
    .values(download)
    .onConflict((conflict) => conflict.columns(['retailerId', 'versionId']).doUpdateSet(changes))
    .execute()
}

/** Deletes a few of those of a supplier's connections; returns how many. */
export const deleteDownloadsOf = (trx: WriteTransaction, supplierId: number, limit: number) =>
  deleteSomeOf(trx, 'downloads', { supplierId, limit })
