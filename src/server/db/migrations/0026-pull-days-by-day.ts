import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lets the cleaning find old days without looking at all. */
export const pullDaysByDayMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('pullDaysDay').on('pullDays').column('day').execute()
  },
}
