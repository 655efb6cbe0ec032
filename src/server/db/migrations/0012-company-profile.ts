import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a supplier shows its retailers, apart from its name; `contactEmail` is not shown to them. */
const SHOWN = ['publicEmail', 'publicPhone', 'publicWebsite'] as const

export const companyProfileMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const column of SHOWN) {
      await db.schema.alterTable('users').addColumn(column, 'text').execute()
    }
  },
}
