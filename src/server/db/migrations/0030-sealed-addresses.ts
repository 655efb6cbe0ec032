import type { Kysely, Migration } from 'kysely'

/** Adds the encrypted address of webhooks. The start that follows encrypts those that are stored. */
export const sealedAddressesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('webhooks').addColumn('sealedUrl', 'text').execute()
  },
}
