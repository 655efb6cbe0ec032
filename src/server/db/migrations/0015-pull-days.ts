import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds how often each retailer reads its file, one row for each day, beginning with what is known. */
export const pullDaysMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('pullDays')
      .addColumn('retailerId', 'integer', (column) =>
        column.notNull().references('retailers.id').onDelete('cascade'),
      )
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('pullCount', 'integer', (column) => column.notNull())
      .addColumn('lastPulledAt', 'integer', (column) => column.notNull())
      .addColumn('versionId', 'integer', (column) => column.notNull())
      .addColumn('client', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('pullDaysPrimaryKey', ['retailerId', 'day'])
      .execute()
    // The other columns of a row with max() are those of the row that has the maximum.
    await sql`
      insert into pullDays (retailerId, day, pullCount, lastPulledAt, versionId, client)
      select pulls.retailerId, pulls.pulledAt / 86400000, count(*), max(pulls.pulledAt),
        downloads.versionId, pulls.client
      from pulls
      join downloads on downloads.retailerId = pulls.retailerId
        and downloads.fileName = pulls.fileName
      group by pulls.retailerId, pulls.pulledAt / 86400000`.execute(db)
  },
}
