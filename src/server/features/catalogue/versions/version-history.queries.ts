import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import { COUNT, countRows } from '../../../db/queries-kit/results'
import type { NewVersionRow, VersionRow } from '../../../db/schema'

const selectFacts = prepare((db, { id }: { id: number }) =>
  db
    .selectFrom('versions')
    .select(['id', 'sha256', 'columns', 'rowCount', 'quantityColumn', 'quantitySum'])
    .select([
      'dialect',
      'categoryReading',
      'numbers',
      'keysSha256',
      'keysBytes',
      'keyColumn',
      'keyQuantityColumn',
      'fromOverlay',
    ])
    .select(['goneSha256', 'goneBytes', 'goneCount', 'goneDropped', 'columnCount'])
    .where('id', '=', id),
)

/** What the next file is compared with. */
export type VersionFacts = NonNullable<Awaited<ReturnType<typeof findVersionFacts>>>

/** Finds what the next file is compared with, if anything is published. */
export const findVersionFacts = async (db: Db, id: number | null) =>
  id === null ? undefined : selectFacts(db, { id }).executeTakeFirst()

const selectRefused = prepare((db, content: { connectionId: number; sha256: string }) =>
  db
    .selectFrom('versions')
    .select(['fileName', 'rolledBackAt', 'discardedAt'])
    .where('connectionId', '=', content.connectionId)
    .where('sha256', '=', content.sha256)
    .where((where) =>
      where.or([where('rolledBackAt', 'is not', null), where('discardedAt', 'is not', null)]),
    )
    .orderBy('id', 'desc')
    .limit(1),
)

/** Finds the newest version with this content that somebody discarded or replaced by an older one. */
export const findRefusedContent = (db: Db, connectionId: number, sha256: string) =>
  selectRefused(db, { connectionId, sha256 }).executeTakeFirst()

/** Lists a connection's versions, the held and discarded ones too, newest first. */
export function listVersions(db: Db, connectionId: number, limit: number) {
  return db
    .selectFrom('versions')
    .leftJoin('users', 'users.id', 'versions.publishedBy')
    .leftJoin('versions as restored', 'restored.id', 'versions.restoredFrom')
    .select(['versions.id', 'versions.fileName', 'versions.status', 'versions.createdAt'])
    .select(['versions.rowCount', 'versions.sizeBytes', 'versions.isPinned'])
    .select(['versions.holdReasons', 'versions.problems', 'versions.rolledBackAt'])
    .select(['versions.difference', 'versions.goneCount', 'versions.goneDropped'])
    .select(['versions.dialect', 'versions.received'])
    .select(['versions.fromUpdate', 'versions.fromOverlay'])
    .select(['users.companyName', 'users.username', 'restored.fileName as restoredFrom'])
    .where('versions.connectionId', '=', connectionId)
    .orderBy('versions.id', 'desc')
    .limit(limit)
    .execute()
}

/** Lists what the guard compares of the last published versions, newest first. */
export function listPublishedFacts(db: Db, connectionId: number, limit: number) {
  return db
    .selectFrom('versions')
    .select(['sha256', 'columns', 'rowCount', 'quantityColumn', 'quantitySum', 'categoryReading'])
    .select(['dialect', 'numbers', 'fromOverlay', 'difference', 'createdAt', 'publishedAt'])
    .where('connectionId', '=', connectionId)
    .where('status', '=', 'published')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Finds all of a connection's version, to be stored again. */
export function findWholeVersion(
  db: Db,
  { id, connectionId }: { id: number; connectionId: number },
): Promise<VersionRow | undefined> {
  return db
    .selectFrom('versions')
    .selectAll()
    .where('id', '=', id)
    .where('connectionId', '=', connectionId)
    .executeTakeFirst()
}

export function countPinnedVersions(db: Db, connectionId: number): Promise<number> {
  return countRows(
    db
      .selectFrom('versions')
      .where('connectionId', '=', connectionId)
      .where('isPinned', '=', true)
      .select(COUNT),
  )
}

export async function updateVersion(
  trx: WriteTransaction,
  id: number,
  changes: Partial<NewVersionRow>,
): Promise<void> {
  await trx.updateTable('versions').set(changes).where('id', '=', id).execute()
}

/** Forgets that a content was discarded or replaced: somebody has published it. */
export async function acceptContent(
  trx: WriteTransaction,
  connectionId: number,
  sha256: string,
): Promise<void> {
  await trx
    .updateTable('versions')
    .set({ rolledBackAt: null, discardedAt: null })
    .where('connectionId', '=', connectionId)
    .where('sha256', '=', sha256)
    .execute()
}
