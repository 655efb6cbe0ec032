import type { Kysely, Migration } from 'kysely'

/** What was written and never read, by table. */
const UNREAD = [
  // Answers make it of the retailer and the file's name.
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
