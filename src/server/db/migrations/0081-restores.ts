import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the restore that an administrator has asked for last. */
export const restoresMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('restores')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('backup', 'text', (column) => column.notNull())
      .addColumn('requestedById', 'integer', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('requestedAt', 'integer', (column) => column.notNull())
      .addColumn('step', 'text', (column) => column.notNull())
      .addColumn('detail', 'text')
      .addColumn('leaseToken', 'text')
      .addColumn('leaseUntil', 'integer')
      .addColumn('endedAt', 'integer')
      .addColumn('reason', 'text')
      .execute()
    await db.schema
      .createIndex('restores_requestedById')
      .on('restores')
      .column('requestedById')
      .execute()
  },
}
