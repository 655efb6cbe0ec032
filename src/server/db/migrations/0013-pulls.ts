import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the history of retailers' downloads, one row for each. */
export const pullsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('pulls')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('retailerId', 'integer', (column) =>
        column.notNull().references('retailers.id').onDelete('cascade'),
      )
      .addColumn('pulledAt', 'integer', (column) => column.notNull())
      .addColumn('fileName', 'text', (column) => column.notNull())
      .addColumn('dataAsOf', 'integer', (column) => column.notNull())
      .addColumn('rowCount', 'integer', (column) => column.notNull())
      .addColumn('sizeBytes', 'integer', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .execute()
    await sql`create index pullsRetailerId on pulls (retailerId, id)`.execute(db)
    await sql`create index pullsPulledAt on pulls (pulledAt)`.execute(db)
  },
}
