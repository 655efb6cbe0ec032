import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds who is invited to what, and by whom. */
export const invitationsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('invitations')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('companyId', 'integer', (column) =>
        column.references('users.id').onDelete('cascade'),
      )
      .addColumn('invitedBy', 'integer', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .addColumn('email', 'text')
      .addColumn('mailState', 'text')
      .addColumn('terms', 'text', (column) => column.notNull())
      .addColumn('tokenHash', 'text', (column) => column.unique())
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .addColumn('renewedAt', 'integer', (column) => column.notNull())
      .addColumn('expiresAt', 'integer', (column) => column.notNull())
      .addColumn('withdrawnAt', 'integer')
      .addColumn('acceptedAt', 'integer')
      .addColumn('acceptedBy', 'integer', (column) =>
        column.references('users.id').onDelete('set null'),
      )
      .execute()
    for (const column of ['companyId', 'invitedBy', 'acceptedBy']) {
      await db.schema
        .createIndex(`invitations_${column}`)
        .on('invitations')
        .columns([column])
        .execute()
    }
    await recordChanges(db, [
      {
        table: 'invitations',
        operations: ALL,
        word: 'invitations',
        key: 'companyId',
        // Those of administrators.
        withoutKey: 0,
      },
    ])
  },
}
