import { sql } from 'kysely'

import type { Db } from '../db/open'

/** Counted on purpose, whether a call succeeds or not. */
const IGNORED = new Set(['attempts'])

/** All rows of all tables. */
export async function takeSnapshot(db: Db): Promise<Record<string, unknown[]>> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' and name not like 'sqlite%'
    order by name`.execute(db)
  const snapshot: Record<string, unknown[]> = {}
  for (const { name } of tables.rows.filter((table) => !IGNORED.has(table.name))) {
    snapshot[name] = (await sql<object>`select * from ${sql.table(name)}`.execute(db)).rows
  }
  return snapshot
}
