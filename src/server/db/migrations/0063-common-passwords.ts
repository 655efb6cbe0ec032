import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds whether an installation refuses new passwords that are among the first guesses. */
export const commonPasswordsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('signInRules')
      .addColumn('isCommonRefused', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
