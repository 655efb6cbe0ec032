import type { Kysely, Migration } from 'kysely'

/** Adds how a connection's file is read; an empty object leaves everything to detection. */
export const sourceReadingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('connections')
      .addColumn('reading', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
  },
}
