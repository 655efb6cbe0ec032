import type { Kysely, Migration } from 'kysely'

/** What was written and never read, by table. */
const UNREAD = [
  ['users', 'settingsJson'],
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
