import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds what came of restoring each backup on trial. */
export const backupDrillsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('backupDrills')
      .addColumn('backup', 'text', (column) => column.primaryKey())
      .addColumn('requestedAt', 'integer')
      .addColumn('finishedAt', 'integer')
      .addColumn('outcome', 'text')
      .addColumn('reason', 'text')
      .execute()
  },
}
