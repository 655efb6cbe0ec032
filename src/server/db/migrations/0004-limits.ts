import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the attempts that rate limits count, and the addresses an account has been used from. */
export const limitsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('attempts')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('limitName', 'text', (column) => column.notNull())
      .addColumn('subjectHash', 'text', (column) => column.notNull())
      .addColumn('attemptedAt', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('attemptsSubject')
      .on('attempts')
      .columns(['limitName', 'subjectHash', 'attemptedAt'])
      .execute()
    await db.schema
      .createIndex('attemptsAttemptedAt')
      .on('attempts')
      .columns(['attemptedAt'])
      .execute()
    await db.schema
      .createTable('knownAddresses')
      .addColumn('userId', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('seenAt', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('knownAddressesKey', ['userId', 'address'])
      .execute()
    await db.schema
      .createIndex('knownAddressesSeenAt')
      .on('knownAddresses')
      .columns(['seenAt'])
      .execute()
  },
}
