import { sql } from 'kysely'

import { auditNounOf } from '../../../../shared/audit-actions'
import type { AuditFilter } from '../../../../shared/schemas/audit'
import type { Db, WriteTransaction } from '../../../db/open'
import { ignoringCase, toLowerAscii } from '../../../db/queries-kit/expressions'
import { countDeleted, insertedId } from '../../../db/queries-kit/results'
import type { AuditEntryRow, NewAuditEntryRow } from '../../../db/schema'

/** The place of an entry in the log, which is ordered by time and then by id. */
export type AuditPlace = { at: number; id: number }

/** `isWithoutAdministrators` leaves out what administrators did. */
export type AuditScope = { isWithoutAdministrators?: boolean }

export function insertAuditEntry(trx: WriteTransaction, entry: NewAuditEntryRow): Promise<number> {
  return insertedId(trx.insertInto('auditEntries').values(entry).returning('id'))
}

/** Finds what an entry says was changed, and from where; undefined for an entry that is not there. */
export function findAuditChanges(
  trx: WriteTransaction,
  id: number,
): Promise<Pick<AuditEntryRow, 'changes' | 'address'> | undefined> {
  return trx
    .selectFrom('auditEntries')
    .select(['changes', 'address'])
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Finds the newest entry of an action on a subject that began within a period. */
export function findLatestEntry(
  trx: WriteTransaction,
  { action, subjectId }: Pick<AuditEntryRow, 'action' | 'subjectId'>,
  period: { after: number; until: number },
): Promise<Pick<AuditEntryRow, 'id'> | undefined> {
  return trx
    .selectFrom('auditEntries')
    .select('id')
    .where('noun', '=', auditNounOf(action))
    .where('subjectId', subjectId === null ? 'is' : '=', subjectId)
    .where('at', '>', period.after)
    .where('at', '<=', period.until)
    .where((entry) => entry(entry.fn.coalesce('firstAt', 'at'), '>', period.after))
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lets an entry stand for one more like it. */
export async function addToAuditEntry(
  trx: WriteTransaction,
  id: number,
  later: Pick<NewAuditEntryRow, 'at' | 'changes' | 'subjectName' | 'address'>,
): Promise<void> {
  await trx
    .updateTable('auditEntries')
    .set((row) => ({
      ...later,
      count: sql<number>`${row.ref('count')} + 1`,
      firstAt: row.fn.coalesce('firstAt', 'at'),
    }))
    .where('id', '=', id)
    .execute()
}

/** Lists matching entries before a place, newest first. */
export function listAuditEntries(
  db: Db,
  filter: AuditFilter & AuditScope,
  { before, limit }: { before: AuditPlace | undefined; limit: number },
): Promise<AuditEntryRow[]> {
  const { who, action, noun, subjectId, supplierId, from, to } = filter
  let query = db.selectFrom('auditEntries').selectAll()
  if (who !== undefined) query = query.where(ignoringCase('actorName'), '=', toLowerAscii(who))
  if (action !== undefined) query = query.where('action', '=', action)
  if (noun !== undefined) query = query.where('noun', '=', noun)
  if (subjectId !== undefined) query = query.where('subjectId', '=', subjectId)
  if (supplierId !== undefined) query = query.where('supplierId', '=', supplierId)
  if (from !== undefined) query = query.where('at', '>=', Date.parse(from))
  if (to !== undefined) query = query.where('at', '<=', Date.parse(to))
  if (filter.isWithoutAdministrators)
    query = query.where('actorRole', 'is distinct from', 'SUPER_ADMIN')
  if (before) {
    query = query.where(sql<boolean>`(at, id) < (${before.at}, ${before.id})`)
  }
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Deletes a user's entries of these actions, except the `kept` newest. */
export async function deleteOldestEntriesOf(
  trx: WriteTransaction,
  { actorId, actions }: { actorId: number; actions: readonly AuditEntryRow['action'][] },
  kept: number,
): Promise<void> {
  const oldestKept = trx
    .selectFrom('auditEntries')
    .select('at')
    .where('actorId', '=', actorId)
    .where('action', 'in', actions)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(kept - 1)
  await trx
    .deleteFrom('auditEntries')
    .where('actorId', '=', actorId)
    .where('action', 'in', actions)
    .where('at', '<', oldestKept)
    .execute()
}

/** Deletes entries, or those of one action, that are older than `before`; returns how many. */
export function deleteAuditEntriesBefore(
  trx: WriteTransaction,
  { before, action }: { before: number; action?: AuditEntryRow['action'] },
  limit: number,
): Promise<number> {
  let old = trx.selectFrom('auditEntries').select('id').where('at', '<', before)
  if (action !== undefined) old = old.where('action', '=', action)
  return countDeleted(trx.deleteFrom('auditEntries').where('id', 'in', old.limit(limit)))
}

/** Lists the suppliers that a retailer's login is linked to, at most two: with more than one, it is nobody's. */
export async function listSuppliersOfLogin(db: Db, userId: number): Promise<number[]> {
  const linked = await db
    .selectFrom('retailers')
    .select('supplierId')
    .where('userId', '=', userId)
    .limit(2)
    .execute()
  return linked.map(({ supplierId }) => supplierId)
}
