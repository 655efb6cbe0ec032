import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds mails about accounts, with the links for new passwords that they bring. */
export const accountMailsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('accountMails')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('userId', 'integer', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('tokenHash', 'text', (column) => column.unique())
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .addColumn('nextAttemptAt', 'integer')
      .execute()
    // As `ignoringCase` in db/queries-kit/expressions.ts.
    await sql`create index "mailAddressesAddress" on "mailAddresses" (lower("address"))`.execute(db)
    for (const name of ['userId', 'nextAttemptAt']) {
      const index = `accountMails${name.charAt(0).toUpperCase()}${name.slice(1)}`
      await db.schema.createIndex(index).on('accountMails').column(name).execute()
    }
  },
}
