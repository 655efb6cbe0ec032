import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds how a connection's file is read; an empty object leaves everything to detection. */
export const sourceReadingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('connections')
      .addColumn('reading', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
  },
}
