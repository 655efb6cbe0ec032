import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { recordChanges } from './record-changes'

/**
 * Adds where people are signed in, when they last proved who they are, where they signed in before, and what is told
 * of that by mail.
 */
export const sessionsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sessions').addColumn('program', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('address', 'text').execute()
    await db.schema.alterTable('sessions').addColumn('confirmedAt', 'integer').execute()
    await db.schema
      .alterTable('googleSignIns')
      .addColumn('isConfirmation', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('accountMails').addColumn('address', 'text').execute()
    await db.schema.alterTable('accountMails').addColumn('details', 'text').execute()
    await sql`update "accountMails" set kind = 'account.password-changed'
      where kind = 'password-changed'`.execute(db)
    await db.schema
      .createTable('signInPlaces')
      .addColumn('userId', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('program', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .addColumn('seenAt', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('signInPlacesKey', ['userId', 'program', 'network'])
      .execute()
    await db.schema.createIndex('signInPlacesSeenAt').on('signInPlaces').column('seenAt').execute()
    await recordChanges(db, [
      {
        table: 'sessions',
        operations: ['insert', 'delete'],
        word: 'sessions',
        key: 'userId',
        // Those of sign-ins that are not finished.
        withoutKey: 0,
      },
    ])
  },
}
