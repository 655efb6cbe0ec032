import { sql, type Insertable } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import { countDeleted, insertedId } from '../../../db/queries-kit/results'
import type { EventRow } from '../../../db/schema'
import type { EventsTable } from '../../../db/tables/alerts'

const insertRow = prepare((db, event: Insertable<EventsTable>) =>
  db.insertInto('events').values(event).returning('id'),
)

export const insertEvent = (
  trx: WriteTransaction,
  event: Insertable<EventsTable>,
): Promise<number> => insertedId(insertRow(trx, event))

const selectWaiting = prepare((db) =>
  db.selectFrom('events').selectAll().where('fannedOutAt', 'is', null).orderBy('id').limit(1),
)

/** Finds the oldest event for which not all recipients have been determined. */
export const findWaitingEvent = (db: Db): Promise<EventRow | undefined> =>
  selectWaiting(db, {}).executeTakeFirst()

type Progress = Partial<Pick<EventRow, 'fannedOutTo' | 'fannedOutAt'>>

const updateProgress = prepare((db, { ofId, ...progress }: Progress & { ofId: number }) =>
  db.updateTable('events').set(progress).where('id', '=', ofId),
)

export async function updateFanOut(
  trx: WriteTransaction,
  ofId: number,
  progress: Progress,
): Promise<void> {
  await updateProgress(trx, { ...progress, ofId }).execute()
}

/** Deletes events from before `createdBefore` with all that came of them; returns how many. */
export function deleteOldEvents(
  trx: WriteTransaction,
  createdBefore: number,
  limit: number,
): Promise<number> {
  const old = trx.selectFrom('events').select('id').where('createdAt', '<', createdBefore)
  return countDeleted(trx.deleteFrom('events').where('id', 'in', old.limit(limit)))
}

/** Events and problems that only one user is told of, and that no supplier has. */
const onlyFor = (userId: number) => sql<boolean>`("supplierId" is null and (
  "details" like ${`%"onlyUserId":${userId},%`} or "details" like ${`%"onlyUserId":${userId}}%`}))`

/** Deletes what only a user was told of: that a webhook was switched off. */
export async function deleteEventsFor(trx: WriteTransaction, userId: number): Promise<void> {
  const kind = 'webhook.switched-off'
  await trx.deleteFrom('events').where('kind', '=', kind).where(onlyFor(userId)).execute()
  await trx.deleteFrom('problems').where('kind', '=', kind).where(onlyFor(userId)).execute()
}
