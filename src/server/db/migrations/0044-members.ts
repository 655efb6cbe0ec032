import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { isPostgres } from './record-changes'

const OLD_ROLES = `role IN ('SUPER_ADMIN', 'SUPPLIER', 'RETAILER')`
const ROLES = `role IN ('SUPER_ADMIN', 'SUPPLIER', 'RETAILER', 'MEMBER')`

/**
 * Adds the people of a company besides its own login, and lets a login have several retailers. A process of
 * the version before refuses members everything: it knows no such role.
 */
export const membersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await (isPostgres(db) ? loosenOnPostgres(db) : loosenOnSqlite(db))
    await db.schema
      .alterTable('users')
      .addColumn('memberOf', 'integer', (column) =>
        column.references('users.id').onDelete('cascade'),
      )
      .execute()
    await db.schema.alterTable('users').addColumn('memberRole', 'text').execute()
    await db.schema.createIndex('usersMemberOf').on('users').column('memberOf').execute()
    await db.schema.createIndex('retailersUserId').on('retailers').column('userId').execute()
  },
}

async function loosenOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table "users" drop constraint "users_role_check"`).execute(db)
  await sql
    .raw(`alter table "users" add constraint "users_role_check" check (${ROLES})`)
    .execute(db)
  await sql.raw(`alter table "retailers" drop constraint "retailers_userId_key"`).execute(db)
}

/** SQLite changes no constraint of a table: it is made anew, while references are not enforced. */
async function loosenOnSqlite(db: Kysely<unknown>): Promise<void> {
  await remake(db, 'users', (text) => replaceIn(text, OLD_ROLES, ROLES))
  await remake(db, 'retailers', (text) =>
    replaceIn(text, `"userId" integer not null unique`, `"userId" integer not null`),
  )
}

function replaceIn(text: string, old: string, current: string): string {
  if (!text.includes(old)) throw new Error(`The schema does not have ${old}`)
  return text.replace(old, current)
}

/** Makes a table anew, with its rows, last id, indexes and triggers. */
async function remake(
  db: Kysely<unknown>,
  table: string,
  change: (text: string) => string,
): Promise<void> {
  const parts = await sql<{ type: string; text: string }>`
    select type, sql as text from sqlite_schema where tbl_name = ${table} and sql is not null`.execute(
    db,
  )
  const ids = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = ${table}`.execute(db)
  const draft = `new ${table}`
  for (const { type, text } of parts.rows) {
    if (type !== 'table') continue
    await sql.raw(change(replaceIn(text, `"${table}"`, `"${draft}"`))).execute(db)
  }
  await sql`insert into ${sql.table(draft)} select * from ${sql.table(table)}`.execute(db)
  await db.schema.dropTable(table).execute()
  await db.schema.alterTable(draft).renameTo(table).execute()
  for (const { seq } of ids.rows) {
    await sql`update sqlite_sequence set seq = ${seq} where name = ${table}`.execute(db)
  }
  for (const { type, text } of parts.rows) {
    if (type !== 'table') await sql.raw(text).execute(db)
  }
}
