import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds of which connections the history of items is kept, and in which stored files. */
export const itemHistoriesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('itemHistories')
      .addColumn('connectionId', 'integer', (column) =>
        column.primaryKey().references('connections.id').onDelete('cascade'),
      )
      .addColumn('waitingSince', 'integer')
      .addColumn('versionAt', 'integer')
      .addColumn('beganAt', 'integer')
      .addColumn('keyColumn', 'text')
      .addColumn('priceMark', 'text')
      .addColumn('columnEras', 'text', (column) => column.notNull())
      .addColumn('obstacle', 'text')
      .addColumn('leaseToken', 'text')
      .addColumn('leaseUntil', 'integer')
      .execute()
    await db.schema
      .createIndex('itemHistories_waitingSince')
      .on('itemHistories')
      .column('waitingSince')
      .execute()
    await db.schema
      .createTable('historyFiles')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('connectionId', 'integer', (column) =>
        column.notNull().references('connections.id').onDelete('cascade'),
      )
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('sizeBytes', 'integer', (column) => column.notNull())
      .addColumn('records', 'integer', (column) => column.notNull())
      .addColumn('lastAt', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('historyFiles_connectionId')
      .on('historyFiles')
      .column('connectionId')
      .execute()
    await db.schema.createIndex('historyFiles_sha256').on('historyFiles').column('sha256').execute()
  },
}
