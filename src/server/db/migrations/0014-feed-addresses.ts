import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the addresses from which shops read their files without signing in. */
export const feedAddressesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('feedAddresses')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('retailerId', 'integer', (column) =>
        column.notNull().references('retailers.id').onDelete('cascade'),
      )
      .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
      .addColumn('tokenEnd', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .addColumn('expiresAt', 'integer')
      .addColumn('lastUsedAt', 'integer')
      .addColumn('lastClient', 'text')
      .execute()
    await sql`create index feedAddressesRetailerId on feedAddresses (retailerId, id)`.execute(db)
  },
}
