import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

const SIZES = ['databaseBytes', 'filesBytes', 'freeBytes', 'totalBytes']

/** Adds which processes run, of which version, and how large everything was on each day. */
export const systemMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('processes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('pid', 'integer', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('revision', 'text')
      .addColumn('runtime', 'text', (column) => column.notNull())
      .addColumn('startedAt', 'integer', (column) => column.notNull())
      .addColumn('seenAt', 'integer', (column) => column.notNull())
      .execute()
    await SIZES.reduce(
      (table, name) => table.addColumn(name, 'integer', (column) => column.notNull()),
      db.schema
        .createTable('dataSizes')
        .addColumn('startedAt', 'integer', (column) => column.primaryKey())
        .addColumn('backupsBytes', 'integer'),
    ).execute()
  },
}
