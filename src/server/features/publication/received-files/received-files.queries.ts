import { KEPT_RECEIVED_FILES } from '../../../../shared/constants'
import type { Db, WriteTransaction } from '../../../db/open'
import { deleteSomeOf } from '../../../db/queries-kit/delete-in-batches'
import type { Owned } from '../../../db/queries-kit/owned'
import { prepare } from '../../../db/queries-kit/prepare'
import { insertedId } from '../../../db/queries-kit/results'
import type { ConnectionRow, NewReceivedFileRow, ReceivedFileChanges } from '../../../db/schema'

const selectFiles = (db: Db, connectionId: number) =>
  db
    .selectFrom('receivedFiles')
    .innerJoin('connections', 'connections.id', 'receivedFiles.connectionId')
    .leftJoin('users', 'users.id', 'receivedFiles.receivedBy')
    .leftJoin('versions', 'versions.id', 'receivedFiles.versionId')
    .selectAll('receivedFiles')
    .select(['users.username', 'users.role', 'versions.status', 'versions.discardedAt'])
    .select(['connections.leaseToken as runToken', 'connections.leaseUntil'])
    .where('receivedFiles.connectionId', '=', connectionId)

export type FoundReceivedFile = Awaited<ReturnType<typeof listReceivedFileRows>>[number]

/** Lists the last files that were sent to a connection, newest first. */
export function listReceivedFileRows(db: Db, connectionId: number) {
  return selectFiles(db, connectionId)
    .orderBy('receivedFiles.id', 'desc')
    .limit(KEPT_RECEIVED_FILES)
    .execute()
}

export function findReceivedFileRow(
  db: Db,
  { connectionId, id }: { connectionId: number; id: number },
): Promise<FoundReceivedFile | undefined> {
  return selectFiles(db, connectionId).where('receivedFiles.id', '=', id).executeTakeFirst()
}

/** Adds a file, and deletes the oldest ones of its connection that wait no more. */
export async function insertReceivedFile(
  trx: WriteTransaction,
  { id: connectionId, updates }: Owned<ConnectionRow>,
  file: Omit<NewReceivedFileRow, 'connectionId' | 'state'>,
): Promise<number> {
  const row = { ...file, connectionId, state: 'waiting' } as const
  const id = await insertedId(trx.insertInto('receivedFiles').values(row).returning('id'))
  const kept = trx
    .selectFrom('receivedFiles')
    .select('id')
    .where('connectionId', '=', connectionId)
    .orderBy('id', 'desc')
    .limit(KEPT_RECEIVED_FILES)
  // Updates wait in a queue, at the end of which their senders still ask for them.
  const keptOf = updates ? kept.where('state', '!=', 'waiting') : kept
  await trx
    .deleteFrom('receivedFiles')
    .where('connectionId', '=', connectionId)
    .where('state', '!=', 'waiting')
    .where('id', 'not in', keptOf)
    .execute()
  return id
}

const selectWaiting = prepare((db, { connectionId }: { connectionId: number }) =>
  db
    .selectFrom('receivedFiles')
    .select(['id', 'fileName', 'sha256', 'sizeBytes', 'isFull', 'linkEnd', 'way', 'leaseToken'])
    .where('connectionId', '=', connectionId)
    .where('state', '=', 'waiting')
    .orderBy('id', 'desc'),
)

/** Lists the files of a connection that have not been read to their end, newest first. */
export const listWaitingFiles = (db: Db, connectionId: number) =>
  selectWaiting(db, { connectionId }).execute()

export async function updateReceivedFile(
  trx: WriteTransaction,
  id: number,
  changes: ReceivedFileChanges,
): Promise<void> {
  await trx.updateTable('receivedFiles').set(changes).where('id', '=', id).execute()
}

/** What was held is in another version now, with what came after it. */
export async function moveReceivedFiles(
  trx: WriteTransaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await trx
    .updateTable('receivedFiles')
    .set({ versionId: to })
    .where('versionId', '=', from)
    .execute()
}

/** Deletes a few of those of a supplier's connections; returns how many. */
export const deleteReceivedFilesOf = (trx: WriteTransaction, supplierId: number, limit: number) =>
  deleteSomeOf(trx, 'receivedFiles', { supplierId, limit })
