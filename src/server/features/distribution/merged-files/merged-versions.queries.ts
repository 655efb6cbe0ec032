import type { Db, WriteTransaction } from '../../../db/open'
import { insertedId } from '../../../db/queries-kit/results'
import type {
  MergedOutputChanges,
  MergedOutputRow,
  MergedVersionRow,
  NewMergedVersionRow,
} from '../../../db/schema'

/** Lists what is kept of a merged file, newest first. */
export function listMergedVersions(db: Db, mergedFileId: number): Promise<MergedVersionRow[]> {
  return db
    .selectFrom('mergedVersions')
    .selectAll()
    .where('mergedFileId', '=', mergedFileId)
    .orderBy('id', 'desc')
    .execute()
}

export function findNewestMergedVersion(
  db: Db,
  mergedFileId: number,
): Promise<MergedVersionRow | undefined> {
  return db
    .selectFrom('mergedVersions')
    .selectAll()
    .where('mergedFileId', '=', mergedFileId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findMergedVersion(db: Db, id: number): Promise<MergedVersionRow | undefined> {
  return db.selectFrom('mergedVersions').selectAll().where('id', '=', id).executeTakeFirst()
}

export function insertMergedVersion(
  trx: WriteTransaction,
  version: NewMergedVersionRow,
): Promise<number> {
  return insertedId(trx.insertInto('mergedVersions').values(version).returning('id'))
}

export async function deleteMergedVersions(
  trx: WriteTransaction,
  ids: readonly number[],
): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('mergedVersions').where('id', 'in', ids).execute()
}

/** Which form of a version, and since which it has changed; 0 for the whole file. */
export type OutputPlace = Pick<MergedOutputRow, 'mergedVersionId' | 'form' | 'sinceVersionId'>

export function findMergedOutput(
  db: Db,
  { mergedVersionId, form, sinceVersionId }: OutputPlace,
): Promise<MergedOutputRow | undefined> {
  return db
    .selectFrom('mergedOutputs')
    .selectAll()
    .where('mergedVersionId', '=', mergedVersionId)
    .where('form', '=', form)
    .where('sinceVersionId', '=', sinceVersionId)
    .executeTakeFirst()
}

/** Lists the outputs of a merged file: all of its versions. */
export function listMergedOutputs(db: Db, mergedFileId: number): Promise<MergedOutputRow[]> {
  return db
    .selectFrom('mergedOutputs')
    .selectAll()
    .where('mergedFileId', '=', mergedFileId)
    .orderBy('id', 'desc')
    .execute()
}

/** Requests one, unless it is there, or waits; one that has failed is tried again. */
export async function requestMergedOutput(
  trx: WriteTransaction,
  output: OutputPlace & Pick<MergedOutputRow, 'mergedFileId' | 'profile' | 'createdAt'>,
): Promise<void> {
  await trx
    .insertInto('mergedOutputs')
    .values({ ...output, status: 'waiting' })
    .onConflict((conflict) =>
      conflict
        .columns(['mergedVersionId', 'form', 'sinceVersionId'])
        .doUpdateSet({ status: 'waiting' })
        .where('mergedOutputs.status', '=', 'failed'),
    )
    .execute()
}

export async function insertMergedOutput(
  trx: WriteTransaction,
  output: Omit<MergedOutputRow, 'id' | 'failure'>,
): Promise<void> {
  await trx.insertInto('mergedOutputs').values(output).execute()
}

export async function updateMergedOutput(
  trx: WriteTransaction,
  id: number,
  changes: MergedOutputChanges,
): Promise<void> {
  await trx.updateTable('mergedOutputs').set(changes).where('id', '=', id).execute()
}
