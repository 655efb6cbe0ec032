import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds which compressed copy of a file is to be made. Versions before have made both, and still do beside this one. */
export const askedCopiesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('compressedFiles').addColumn('asked', 'text').execute()
  },
}
