import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds what is needed to share slots, hosts and storage fairly. */
export const fairSharesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('connections')
      .addColumn('isSlow', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('connectionsDue')
      .on('connections')
      .columns(['isSlow', 'nextSyncAt', 'id'])
      .execute()
    await db.schema.alterTable('variants').addColumn('usedAt', 'integer').execute()
    await db.schema
      .createTable('hostRequests')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('startedAt', 'integer', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('hostRequestsHost').on('hostRequests').columns(['host']).execute()
  },
}
