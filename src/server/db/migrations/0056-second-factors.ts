import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds second factors of sign-ins, and the codes that take their place when they are lost. */
export const secondFactorsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('secondFactors')
      .addColumn('userId', 'integer', (column) =>
        column.primaryKey().references('users.id').onDelete('cascade'),
      )
      .addColumn('sealedKey', 'text', (column) => column.notNull())
      .addColumn('codesTakenUntil', 'integer', (column) => column.notNull())
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('recoveryCodes')
      .addColumn('userId', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('codeHash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recoveryCodesKey', ['userId', 'codeHash'])
      .execute()
  },
}
