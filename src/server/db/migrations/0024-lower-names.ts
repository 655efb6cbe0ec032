import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lets names be found regardless of case by an expression that every engine has. */
export const lowerNamesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('auditEntriesActorName').execute()
    await sql`create index "auditEntriesActorName" on "auditEntries" (lower("actorName"), "at")`.execute(
      db,
    )
  },
}
