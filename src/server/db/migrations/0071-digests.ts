import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds who gets a digest of what has changed, of what, and when. */
export const digestsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('digests')
      .addColumn('userId', 'integer', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('period', 'text')
      .addColumn('weekday', 'integer', (column) => column.notNull())
      .addColumn('timeZone', 'text', (column) => column.notNull())
      .addColumn('pricePercent', 'integer')
      .addColumn('categories', 'text', (column) => column.notNull())
      .addColumn('bases', 'text', (column) => column.notNull())
      .addColumn('dueAt', 'integer')
      .addColumn('toldAt', 'integer')
      .addColumn('skipsUntil', 'integer')
      .addColumn('leaseToken', 'text')
      .addColumn('leaseUntil', 'integer')
      .execute()
    await db.schema.createIndex('digests_dueAt').on('digests').column('dueAt').execute()
  },
}
