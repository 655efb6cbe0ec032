import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the passkeys by which people sign in without a password. */
export const passkeysMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('passkeys')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('userId', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('credentialId', 'text', (column) => column.notNull().unique())
      .addColumn('publicKey', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('useCount', 'integer', (column) => column.notNull())
      .addColumn('challengesTakenUntil', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .addColumn('lastUsedAt', 'integer')
      .execute()
    await db.schema.createIndex('passkeys_userId').on('passkeys').columns(['userId']).execute()
  },
}
