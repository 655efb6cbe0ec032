import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the number of a version's columns, of which only the names for previews are stored. */
export const columnCountMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('versions').addColumn('columnCount', 'integer').execute()
  },
}
