import { sql } from 'kysely'

import type { Db } from '../../../db/open'
import { prepare } from '../../../db/queries-kit/prepare'
import type { StoredGap } from '../../../db/stored-json'

const selectKeyed = prepare((db, { id }: { id: number }) =>
  db
    .selectFrom('versions')
    .select(['id', 'sha256', 'rowCount', 'dialect', 'categoryReading', 'gap'])
    .select(['keysSha256', 'keysBytes', 'keyColumn', 'repeatedRows', 'keylessRows'])
    .where('id', '=', id),
)

export type KeyedVersion = NonNullable<Awaited<ReturnType<typeof findKeyedVersion>>>

/** Finds what updates are merged onto, if there is a version. */
export const findKeyedVersion = async (db: Db, id: number | null) =>
  id === null ? undefined : selectKeyed(db, { id }).executeTakeFirst()

/**
 * Finds the newest encoding of a connection's files that was not UTF-8: short updates have too few letters to
 * show it anew.
 */
export async function findOtherEncoding(db: Db, connectionId: number): Promise<string | undefined> {
  const found = await db
    .selectFrom('versions')
    .select('dialect')
    .where('connectionId', '=', connectionId)
    .where(sql<boolean>`dialect not like '%"encoding":"utf-8"%'`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.dialect.encoding
}

/** Finds the newest version that came of an update, by the hash of the update. */
export function findVersionOfUpdate(db: Db, connectionId: number, sha256: string) {
  return db
    .selectFrom('versions')
    .select(['discardedAt', 'rolledBackAt'])
    .where('connectionId', '=', connectionId)
    .where('fromUpdate', 'like', sql<never>`${`%"sha256":"${sha256}"%`}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Finds what these versions lack, by their ids. */
export async function findGaps(db: Db, ids: readonly number[]): Promise<Map<number, StoredGap>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('versions')
    .select(['id', 'gap'])
    .where('id', 'in', ids)
    .where('gap', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ id, gap }) => (gap ? [[id, gap] as const] : [])))
}
