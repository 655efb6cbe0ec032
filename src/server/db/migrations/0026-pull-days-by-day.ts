import type { Kysely, Migration } from 'kysely'

/** Lets the cleaning find old days without looking at all. */
export const pullDaysByDayMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('pullDaysDay').on('pullDays').column('day').execute()
  },
}
