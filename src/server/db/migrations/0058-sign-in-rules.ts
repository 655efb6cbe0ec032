import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds what an installation asks of all who sign in. Whether a person has a second factor belongs to its sessions. */
export const signInRulesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('signInRules')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('requiredFactors', 'text', (column) => column.notNull())
      .addColumn('passwordMinLength', 'integer', (column) => column.notNull())
      .execute()
    await recordChanges(db, [
      { table: 'signInRules', operations: ALL, word: 'sign-in-rules', key: 'id' },
      { table: 'secondFactors', operations: ['insert', 'delete'], word: 'user', key: 'userId' },
    ])
  },
}
