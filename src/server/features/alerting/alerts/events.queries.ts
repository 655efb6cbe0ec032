import { sql, type Insertable } from 'kysely'

import { NOTICE_KINDS } from '../../../../shared/alerts'
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

/** Deletes what people were told of their accounts who are gone; returns how much. */
export function deleteNoticesOfNobody(trx: WriteTransaction): Promise<number> {
  return countDeleted(
    trx
      .deleteFrom('events')
      .where('kind', 'in', NOTICE_KINDS)
      .where('id', 'not in', (eb) => eb.selectFrom('notifications').select('eventId')),
  )
}

/** What only one user is told of. */
const OWN_KINDS = ['webhook.switched-off', 'digest', ...NOTICE_KINDS] as const

/** Deletes what only a user was told of: that a webhook was switched off, or of the own account. */
export async function deleteEventsFor(trx: WriteTransaction, userId: number): Promise<void> {
  await trx.deleteFrom('events').where('kind', 'in', OWN_KINDS).where(onlyFor(userId)).execute()
  await trx
    .deleteFrom('problems')
    .where('kind', '=', 'webhook.switched-off')
    .where(onlyFor(userId))
    .execute()
}
