import type { Kysely } from 'kysely'

import type { Changes } from '../engine'
import type { Database } from '../schema'

/** Here, ids are in the order of commits. */
export async function readSqliteChanges(
  db: Kysely<Database>,
  since: string | undefined,
): Promise<Changes> {
  if (since === undefined) {
    const newest = db.selectFrom('changes').select(({ fn }) => fn.max('id').as('id'))
    return { mark: String((await newest.executeTakeFirst())?.id ?? 0), topics: [] }
  }
  const rows = await db
    .selectFrom('changes')
    .select(['id', 'topic'])
    .where('id', '>', Number(since))
    .orderBy('id')
    .execute()
  return { mark: String(rows.at(-1)?.id ?? since), topics: rows.map(({ topic }) => topic) }
}
