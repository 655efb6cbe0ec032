import type { Kysely, Migration } from 'kysely'

/** How many columns a version has: of their names it keeps those that previews show. */
export const columnCountMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('versions').addColumn('columnCount', 'integer').execute()
  },
}
