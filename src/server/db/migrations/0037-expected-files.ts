import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds how often a file is to come to a connection to which files are only sent. */
export const expectedFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('connections').addColumn('expectedEveryHours', 'integer').execute()
  },
}
