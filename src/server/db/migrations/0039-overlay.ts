import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds a second address of a connection, the validators of its last response, and what came of joining its file. */
export const overlayMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('connections').addColumn('overlay', 'text').execute()
    await db.schema.alterTable('connections').addColumn('overlayEtag', 'text').execute()
    await db.schema.alterTable('connections').addColumn('overlayLastModified', 'text').execute()
    await db.schema.alterTable('versions').addColumn('fromOverlay', 'text').execute()
  },
}
