import type { Db } from '../../../db/open'

/** Finds the oldest published version of a connection that is still stored, if it is older than another one. */
export async function findOldestKept(
  db: Db,
  { connectionId, before }: { connectionId: number; before: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('versions')
    .select('id')
    .where('connectionId', '=', connectionId)
    .where('status', '=', 'published')
    .where('id', '<', before)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
