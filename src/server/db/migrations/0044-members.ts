import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { isPostgres } from './record-changes'
import { remakeTable, replaceIn } from './remake-table'

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
  await remakeTable(db, 'users', (text) => replaceIn(text, OLD_ROLES, ROLES))
  await remakeTable(db, 'retailers', (text) =>
    replaceIn(text, `"userId" integer not null unique`, `"userId" integer not null`),
  )
}
