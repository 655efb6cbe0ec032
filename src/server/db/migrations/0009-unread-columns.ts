import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Columns that were written but never read. */
const UNREAD = [
  // Responses compute it from the retailer and the file name.
  ['downloads', 'downloadUrl'],
  ['variants', 'error'],
  ['cronJobRuns', 'leaseToken'],
] as const

export const unreadColumnsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, column] of UNREAD) {
      await db.schema.alterTable(table).dropColumn(column).execute()
    }
  },
}
