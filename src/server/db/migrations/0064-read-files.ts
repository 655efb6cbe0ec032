import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds which file was read last of servers at which files are moved or deleted once they were read. */
export const readFilesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('connections').addColumn('readFile', 'text').execute()
  },
}
