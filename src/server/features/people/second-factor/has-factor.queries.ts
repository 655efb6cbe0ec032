import { sql } from 'kysely'

import type { Db } from '../../../db/open'

/**
 * Whether a row of `users` has a second factor of its own, or one that Google asks for: without a password there is no
 * other way in. The one place that says so.
 */
export const HAS_FACTOR = sql<boolean>`(users."passwordHash" is null or exists (
  select 1 from "secondFactors" where "secondFactors"."userId" = users.id))`

export async function hasFactor(db: Db, personId: number): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', personId)
    .where(HAS_FACTOR)
    .executeTakeFirst()
  return found !== undefined
}
