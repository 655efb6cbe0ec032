import { sql } from 'kysely'

import { HOUR_MS } from '../../../../shared/durations'
import type { Db, WriteTransaction } from '../../../db/open'
import { selectUnlocked } from '../../../db/queries-kit/claims'
import { isLeasedBy } from '../../../db/queries-kit/expressions'
import type {
  HistoryFileRow,
  ItemHistoryChanges,
  ItemHistoryRow,
  NewHistoryFileRow,
  VersionRow,
} from '../../../db/schema'

/** When a history that could not be written is tried again. */
export const RETRY_AFTER_MS = HOUR_MS

export const findHistory = (db: Db, connectionId: number): Promise<ItemHistoryRow | undefined> =>
  db
    .selectFrom('itemHistories')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .executeTakeFirst()

/** The files of a history; those of a kind are oldest first. */
export const listHistoryFiles = (db: Db, connectionId: number): Promise<HistoryFileRow[]> =>
  db
    .selectFrom('historyFiles')
    .selectAll()
    .where('connectionId', '=', connectionId)
    .orderBy('id')
    .execute()

/** Has what is published be added to the history of a connection. One that waits keeps its place. */
export async function requestHistory(
  trx: WriteTransaction,
  connectionId: number,
  now: number,
): Promise<void> {
  await trx
    .insertInto('itemHistories')
    .values({ connectionId, waitingSince: now, columnEras: [] })
    .onConflict((conflict) =>
      conflict.column('connectionId').doUpdateSet(({ ref, fn, val }) => ({
        waitingSince: fn.coalesce(
          sql<number | null>`case when ${ref('itemHistories.waitingSince')} > ${now}
            then null else ${ref('itemHistories.waitingSince')} end`,
          val(now),
        ),
      })),
    )
    .execute()
}

const selectWaiting = (db: Db, now: number) =>
  db
    .selectFrom('itemHistories')
    .select('itemHistories.connectionId')
    // Further in the future than any retry when the clock was set back.
    .where(({ or, eb }) =>
      or([eb('waitingSince', '<=', now), eb('waitingSince', '>', now + RETRY_AFTER_MS)]),
    )
    .where(({ or, eb }) => or([eb('leaseUntil', 'is', null), eb('leaseUntil', '<=', now)]))
    .orderBy('waitingSince')
    .orderBy('connectionId')
    .limit(1)

export const hasWaitingHistory = async (db: Db, now: number): Promise<boolean> =>
  (await selectWaiting(db, now).executeTakeFirst()) !== undefined

/** Claims the history that has waited longest, in `inClaim`; undefined when none waits. */
export async function leaseWaitingHistory(
  trx: WriteTransaction,
  lease: { now: number; leaseToken: string; leaseUntil: number },
): Promise<ItemHistoryRow | undefined> {
  const { now, leaseToken, leaseUntil } = lease
  const waiting = await selectUnlocked(trx, selectWaiting(trx, now), [
    'itemHistories',
  ]).executeTakeFirst()
  if (!waiting) return undefined
  return trx
    .updateTable('itemHistories')
    .set({ leaseToken, leaseUntil })
    .where('connectionId', '=', waiting.connectionId)
    .returningAll()
    .executeTakeFirst()
}

/** Updates a history whose lease still holds. Returns false when the lease was lost. */
export async function updateLeasedHistory(
  trx: WriteTransaction,
  lease: { connectionId: number; token: string },
  now: number,
  changes: ItemHistoryChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('itemHistories')
    .set(changes)
    .where('connectionId', '=', lease.connectionId)
    .where(isLeasedBy(lease.token, now))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Puts files in the place of others of the same history. */
export async function replaceHistoryFiles(
  trx: WriteTransaction,
  removed: readonly Pick<HistoryFileRow, 'id'>[],
  added: readonly NewHistoryFileRow[],
): Promise<void> {
  const ids = removed.map(({ id }) => id)
  if (ids.length > 0) await trx.deleteFrom('historyFiles').where('id', 'in', ids).execute()
  // One by one: their ids are their order.
  for (const file of added) await trx.insertInto('historyFiles').values(file).execute()
}

export type HistoricVersion = Pick<
  VersionRow,
  | 'id'
  | 'sha256'
  | 'keysSha256'
  | 'keyColumn'
  | 'keyQuantityColumn'
  | 'numbers'
  | 'categoryReading'
  | 'dialect'
> & { at: number }

const PUBLISHED_AT = sql<number>`coalesce("publishedAt", "createdAt")`

const selectPublished = (db: Db, connectionId: number) =>
  db
    .selectFrom('versions')
    .where('connectionId', '=', connectionId)
    .where('status', '=', 'published')
    .orderBy(PUBLISHED_AT)
    .orderBy('id')
    .limit(1)

/** Finds the first version that was published after an instant and is still kept. */
export const findNextVersion = (
  db: Db,
  connectionId: number,
  after: number | null,
): Promise<HistoricVersion | undefined> =>
  selectPublished(db, connectionId)
    .select(['id', 'sha256', 'keysSha256', 'keyColumn', 'keyQuantityColumn', 'numbers'])
    .select(['categoryReading', 'dialect', PUBLISHED_AT.as('at')])
    .where(PUBLISHED_AT, '>', after ?? -1)
    .executeTakeFirst()

/** When the oldest version that is still kept was published; undefined without any. */
export async function findKeptSince(db: Db, connectionId: number): Promise<number | undefined> {
  const oldest = await selectPublished(db, connectionId)
    .select(PUBLISHED_AT.as('at'))
    .executeTakeFirst()
  return oldest?.at
}
