import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lets one entry of the audit log stand for several like it: how many, and when the first was. */
export const repeatedAuditEntriesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('auditEntries')
      .addColumn('count', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await db.schema.alterTable('auditEntries').addColumn('firstAt', 'integer').execute()
  },
}
