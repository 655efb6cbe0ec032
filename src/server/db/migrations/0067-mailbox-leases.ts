import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds which process reads a mailbox, so that no other does at the same time. */
export const mailboxLeasesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('mailboxLeases')
      .addColumn('mailbox', 'text', (column) => column.primaryKey())
      .addColumn('leaseToken', 'text', (column) => column.notNull())
      .addColumn('leaseUntil', 'integer', (column) => column.notNull())
      .execute()
  },
}
