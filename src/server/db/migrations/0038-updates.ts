import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds files that have only what has changed: how they are read, what came of them, and what is missing. */
export const updatesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('connections').addColumn('updates', 'text').execute()
    await db.schema.alterTable('versions').addColumn('fromUpdate', 'text').execute()
    await db.schema.alterTable('versions').addColumn('gap', 'text').execute()
    await db.schema.alterTable('receivedFiles').addColumn('isFull', 'integer').execute()
  },
}
