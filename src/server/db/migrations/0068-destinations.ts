import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds where retailers have their files sent to, what was sent, and by which clock they count times of day. */
export const destinationsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('retailers')
      .addColumn('timeZone', 'text', (column) => column.notNull().defaultTo('UTC'))
      .execute()
    await createDestinations(db)
    await createDispatches(db)
    await recordChanges(db, [
      { table: 'destinations', operations: ALL, word: 'retailer', key: 'retailerId' },
      { table: 'dispatches', operations: ALL, word: 'retailer', key: 'retailerId' },
    ])
  },
}

async function createDestinations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('destinations')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('retailerId', 'integer', (column) =>
      column.notNull().references('retailers.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('config', 'text', (column) => column.notNull())
    .addColumn('method', 'text')
    .addColumn('recipients', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('fileName', 'text', (column) => column.notNull())
    .addColumn('profile', 'text')
    .addColumn('times', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('onlyIfChanged', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('isActive', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('pausedAt', 'integer')
    .addColumn('pausedReason', 'text')
    .addColumn('checkAt', 'integer')
    .addColumn('isSlow', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('sentVersionId', 'integer')
    .addColumn('sentSha256', 'text')
    .addColumn('sentAt', 'integer')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('destinations_retailerId')
    .on('destinations')
    .column('retailerId')
    .execute()
  await db.schema.createIndex('destinations_checkAt').on('destinations').column('checkAt').execute()
}

async function createDispatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('dispatches')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('destinationId', 'integer', (column) =>
      column.references('destinations.id').onDelete('set null'),
    )
    .addColumn('retailerId', 'integer', (column) =>
      column.notNull().references('retailers.id').onDelete('cascade'),
    )
    .addColumn('destinationName', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('versionId', 'integer', (column) =>
      column.references('versions.id').onDelete('set null'),
    )
    .addColumn('versionName', 'text', (column) => column.notNull())
    .addColumn('fileName', 'text', (column) => column.notNull())
    .addColumn('mediaType', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('sizeBytes', 'integer', (column) => column.notNull())
    .addColumn('rowCount', 'integer', (column) => column.notNull())
    .addColumn('idempotencyKey', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('isRepeat', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('nextAttemptAt', 'integer')
    .addColumn('leaseToken', 'text')
    .addColumn('leaseUntil', 'integer')
    .addColumn('createdAt', 'integer', (column) => column.notNull())
    .addColumn('startedAt', 'integer')
    .addColumn('endedAt', 'integer')
    .addColumn('answer', 'text')
    .execute()
  await db.schema
    .createIndex('dispatches_retailerId')
    .on('dispatches')
    .columns(['retailerId', 'id'])
    .execute()
  await db.schema
    .createIndex('dispatches_destinationId')
    .on('dispatches')
    .columns(['destinationId', 'status'])
    .execute()
  await db.schema
    .createIndex('dispatches_nextAttemptAt')
    .on('dispatches')
    .columns(['status', 'nextAttemptAt'])
    .execute()
}
