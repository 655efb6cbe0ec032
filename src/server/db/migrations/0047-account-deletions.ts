import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds when a company is to be deleted. */
export const accountDeletionsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('deletionAt', 'integer').execute()
    await db.schema.createIndex('usersDeletionAt').on('users').column('deletionAt').execute()
  },
}
