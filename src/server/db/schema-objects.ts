import { sql } from 'kysely'

import { migrateToEarlier } from './migrate'
import { openDatabase } from './open'
import type { SqlRow } from './sqlite/run-sql'

const OBJECTS = 'select type, name, tbl_name as tableName, sql from sqlite_schema'

const objectsByCount = new Map<number, SqlRow[]>()

/** The schema objects that our first `count` migrations create on SQLite; computed once. */
export async function readSchemaObjects(count: number): Promise<SqlRow[]> {
  const objects = objectsByCount.get(count) ?? (await makeObjects(count))
  objectsByCount.set(count, objects)
  return objects
}

async function makeObjects(count: number): Promise<SqlRow[]> {
  const db = openDatabase(':memory:')
  try {
    await migrateToEarlier(db, count)
    return (await sql.raw<SqlRow>(OBJECTS).execute(db)).rows
  } finally {
    await db.destroy()
  }
}
