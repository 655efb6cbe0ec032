import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'

import { createPostgresDatabase } from '../../testing/stages/test-database'
import { migrateToEarlier, migrateToLatest } from '../migrate'
import type { Db } from '../open'
import { openPostgres } from './open-postgres'

/** Migrations after so many are written for both engines. */
const EARLIER = 20

const open: Db[] = []
afterEach(async () => {
  for (const db of open.splice(0)) await db.destroy()
})

function openDatabase(url: string): Db {
  const db = openPostgres(url, () => undefined)
  open.push(db)
  return db
}

/** Everything that a schema consists of, as PostgreSQL describes it. */
async function describeSchema(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default)
      as line from information_schema.columns where table_schema = 'public'
    union all select format('%s %s', conrelid::regclass, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'`.execute(db)
  return rows.map(({ line }) => line).toSorted()
}

describe('the schema on PostgreSQL', () => {
  it('is the same when the last migrations run there as when it is made at once', async () => {
    const [whole, stepwise] = [await createPostgresDatabase(), await createPostgresDatabase()]
    const expected = openDatabase(whole)
    await migrateToLatest(expected)
    const db = openDatabase(stepwise)
    await migrateToEarlier(db, EARLIER)
    expect(await migrateToLatest(db)).toContain('0022-gone-items')
    expect(await describeSchema(db)).toEqual(await describeSchema(expected))
  })

  it('checks no reference before the end of a transaction that restores rows', async () => {
    const [whole, stepwise] = [await createPostgresDatabase(), await createPostgresDatabase()]
    const earlier = openDatabase(stepwise)
    await migrateToEarlier(earlier, EARLIER)
    for (const db of [openDatabase(whole), earlier]) {
      await migrateToLatest(db)
      const { rows } = await sql<{ name: string }>`
        select conname as name from pg_constraint where contype = 'f' and not condeferrable`.execute(
        db,
      )
      expect(rows).toEqual([])
    }
  })

  it('is made once when several processes start at once', async () => {
    const url = await createPostgresDatabase()
    const databases = [openDatabase(url), openDatabase(url), openDatabase(url)]
    await Promise.all(databases.map((db) => migrateToLatest(db)))
    const [db] = databases
    expect(await db!.selectFrom('users').selectAll().execute()).toEqual([])
  })
})
