import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds since when a password is known to its person alone; of earlier ones nobody knows who chose them. */
export const ownPasswordsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('users').addColumn('passwordOwnSince', 'integer').execute()
  },
}
