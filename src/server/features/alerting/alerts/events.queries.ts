import type { Insertable } from 'kysely'

import type { Db, WriteTransaction } from '../../../db/open'
import { countDeleted, insertedId } from '../../../db/queries-kit/results'
import type { EventRow } from '../../../db/schema'
import type { EventsTable } from '../../../db/tables/alerts'

export function insertEvent(
  trx: WriteTransaction,
  event: Insertable<EventsTable>,
): Promise<number> {
  return insertedId(trx.insertInto('events').values(event).returning('id'))
}

/** Finds the oldest event for which not all recipients have been determined. */
export function findWaitingEvent(db: Db): Promise<EventRow | undefined> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('fannedOutAt', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function updateFanOut(
  trx: WriteTransaction,
  id: number,
  progress: Partial<Pick<EventRow, 'fannedOutTo' | 'fannedOutAt'>>,
): Promise<void> {
  await trx.updateTable('events').set(progress).where('id', '=', id).execute()
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
