import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds what a retailer's file of a version was, by its hash, its settings, and since when it has been that. */
export const downloadContentsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('downloads').addColumn('contentSha256', 'text').execute()
    await db.schema.alterTable('downloads').addColumn('contentViewKey', 'text').execute()
    await db.schema.alterTable('downloads').addColumn('contentSince', 'integer').execute()
  },
}
