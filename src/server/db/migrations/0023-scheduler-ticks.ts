import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds when the scheduler last worked, so that every process can see when it stands still. */
export const schedulerTicksMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('schedulerTicks')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('lastTickAt', 'integer', (column) => column.notNull())
      .execute()
  },
}
