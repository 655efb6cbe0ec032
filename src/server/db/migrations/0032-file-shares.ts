import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds who asked for a filtered file, and why one was refused. */
export const fileSharesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('variants').addColumn('requestedBy', 'integer').execute()
    await db.schema.alterTable('variants').addColumn('refusal', 'text').execute()
    await db.schema.alterTable('variants').addColumn('refusedAt', 'integer').execute()
  },
}
