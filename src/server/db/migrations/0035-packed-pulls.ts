import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { recordChanges, type RecordedChange } from './record-changes'

const RECORDED: RecordedChange[] = [
  {
    table: 'recentDownloads',
    operations: ['insert', 'update'],
    word: 'retailer',
    key: 'retailerId',
  },
]

/**
 * Adds one row for all reads of a retailer, and one for its newest downloads. Those that are in `pulls` and
 * `pullDays` are packed by the clean-up, because a large database has too many for a migration.
 */
export const packedPullsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await createTable(db, 'retailerPulls')
      .addColumn('lastPulledAt', 'integer', (column) => column.notNull())
      .addColumn('versionId', 'integer', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addColumn('dayCounts', 'text', (column) => column.notNull())
      .execute()
    await createTable(db, 'recentDownloads')
      .addColumn('newestDownloads', 'text', (column) => column.notNull())
      .execute()
    for (const table of ['retailerPulls', 'recentDownloads']) {
      await db.schema.createIndex(`${table}LastDay`).on(table).column('lastDay').execute()
    }
    await recordChanges(db, RECORDED)
  },
}

/** Deferrable, because a restore copies the tables in the order of their names. */
const createTable = (db: Kysely<unknown>, name: string) =>
  db.schema
    .createTable(name)
    .addColumn('retailerId', 'integer', (column) => column.primaryKey())
    .addColumn('lastDay', 'integer', (column) => column.notNull())
    .addForeignKeyConstraint(`${name}Retailer`, ['retailerId'], 'retailers', ['id'], (constraint) =>
      constraint.onDelete('cascade').deferrable(),
    )
