import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds how often a file is to be sent to a connection, and which versions were sent, and how. */
export const sentFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('connections').addColumn('expectedEveryHours', 'integer').execute()
    await db.schema.alterTable('versions').addColumn('received', 'text').execute()
  },
}
