import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds groups of retailers, and which settings a retailer has of its own: all of those that are in none. */
export const groupsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('retailerGroups')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('supplierId', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('isForNewcomers', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('syncFrequencyMinutes', 'integer', (column) => column.notNull())
      .addColumn('isAllProducts', 'integer', (column) => column.notNull())
      .addColumn('categories', 'text', (column) => column.notNull())
      .addColumn('profile', 'text', (column) => column.notNull())
      .addColumn('frequencyChangedAt', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('visibilityChangedAt', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('formatChangedAt', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('retailerGroups_supplierId')
      .on('retailerGroups')
      .columns(['supplierId', 'name'])
      .unique()
      .execute()
    await addMembership(db)
    await recordChanges(db, [
      { table: 'retailerGroups', operations: ALL, word: 'group', key: 'id' },
    ])
  },
}

async function addMembership(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('retailers')
    .addColumn('groupId', 'integer', (column) => column.references('retailerGroups.id'))
    .execute()
  for (const name of ['hasOwnFrequency', 'hasOwnVisibility', 'hasOwnFormat']) {
    await db.schema
      .alterTable('retailers')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  }
  await db.schema.createIndex('retailers_groupId').on('retailers').column('groupId').execute()
}
