import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the encrypted address of webhooks. The start that follows encrypts those that are stored. */
export const sealedAddressesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('webhooks').addColumn('sealedUrl', 'text').execute()
  },
}
