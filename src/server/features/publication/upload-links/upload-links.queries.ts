import type { Db, WriteTransaction } from '../../../db/open'
import type { Owned } from '../../../db/queries-kit/owned'
import { countDeleted } from '../../../db/queries-kit/results'
import type { ConnectionRow, NewUploadLinkRow, UploadLinkRow } from '../../../db/schema'

const selectValid = (db: Db, now: number) =>
  db
    .selectFrom('uploadLinks')
    .selectAll()
    .where((where) => where.or([where('expiresAt', 'is', null), where('expiresAt', '>', now)]))

/** Lists the links of a connection that work at `now`, newest first. */
export function listUploadLinkRows(
  db: Db,
  connectionId: number,
  now: number,
): Promise<UploadLinkRow[]> {
  return selectValid(db, now)
    .where('connectionId', '=', connectionId)
    .orderBy('id', 'desc')
    .execute()
}

/** Finds the link with this token if it works at `now`. */
export function findUploadLink(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<UploadLinkRow | undefined> {
  return selectValid(db, now).where('tokenHash', '=', tokenHash).executeTakeFirst()
}

/** Adds a link; the one that was the newest ends at `overlapUntil`. */
export async function insertUploadLink(
  trx: WriteTransaction,
  { id: connectionId }: Owned<ConnectionRow>,
  link: Pick<NewUploadLinkRow, 'tokenHash' | 'tokenEnd' | 'createdAt'>,
  overlapUntil: number,
): Promise<void> {
  await trx
    .updateTable('uploadLinks')
    .set({ expiresAt: overlapUntil })
    .where('connectionId', '=', connectionId)
    .where('expiresAt', 'is', null)
    .execute()
  await trx
    .insertInto('uploadLinks')
    .values({ connectionId, ...link })
    .execute()
}

/** Deletes the links of a connection; returns how many. */
export function deleteUploadLinks(
  trx: WriteTransaction,
  { id }: Owned<ConnectionRow>,
): Promise<number> {
  return countDeleted(trx.deleteFrom('uploadLinks').where('connectionId', '=', id))
}

/** Records when a link was last used, and by which program. */
export async function markUploadLinkUsed(
  trx: WriteTransaction,
  id: number,
  use: { lastUsedAt: number; lastClient: string },
): Promise<void> {
  await trx.updateTable('uploadLinks').set(use).where('id', '=', id).execute()
}

/** Deletes links that have expired; returns how many. */
export function deleteExpiredUploadLinks(trx: WriteTransaction, now: number): Promise<number> {
  return countDeleted(trx.deleteFrom('uploadLinks').where('expiresAt', '<=', now))
}
