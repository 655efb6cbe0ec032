import type { Kysely } from 'kysely'

import type { Changes } from '../engine'
import type { Database } from '../schema'

/** Here, ids are in the order of commits, without gaps but where old changes were deleted. */
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
  const isWhole = rows.length === 0 || rows[0]?.id === Number(since) + 1
  const mark = String(rows.at(-1)?.id ?? since)
  return { mark, topics: isWhole ? rows.map(({ topic }) => topic) : 'all' }
}
