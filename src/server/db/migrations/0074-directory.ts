import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds the cards that suppliers publish, how their syncs went by day, and the requests of retailers. */
export const directoryMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('supplierCards')
      .addColumn('supplierId', 'integer', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('isPublished', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull())
      .addColumn('categories', 'text', (column) => column.notNull())
      .addColumn('logo', 'text')
      .addColumn('updatedAt', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('cardDays')
      .addColumn('supplierId', 'integer', (column) =>
        column.notNull().references('supplierCards.supplierId').onDelete('cascade'),
      )
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('goodCount', 'integer', (column) => column.notNull())
      .addColumn('badCount', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('cardDays_pkey', ['supplierId', 'day'])
      .execute()
    await createRequests(db)
    await recordChanges(db, [
      { table: 'accessRequests', operations: ALL, word: 'supplier', key: 'supplierId' },
      { table: 'accessRequests', operations: ALL, word: 'user', key: 'userId' },
    ])
  },
}

async function createRequests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accessRequests')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('supplierId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('userId', 'integer', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('storeName', 'text', (column) => column.notNull())
    .addColumn('storeUrl', 'text')
    .addColumn('message', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('answeredAt', 'integer')
    .execute()
  await db.schema
    .createIndex('accessRequests_supplierId')
    .on('accessRequests')
    .columns(['supplierId', 'userId'])
    .unique()
    .execute()
  await db.schema
    .createIndex('accessRequests_status')
    .on('accessRequests')
    .columns(['supplierId', 'status'])
    .execute()
  await db.schema
    .createIndex('accessRequests_userId')
    .on('accessRequests')
    .column('userId')
    .execute()
}
