import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds pending sign-ins through the identity provider: one per session, deleted with it. */
export const googleSignInsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('googleSignIns')
      .addColumn('sessionIdHash', 'text', (column) =>
        column.primaryKey().references('sessions.idHash').onDelete('cascade'),
      )
      .addColumn('attempt', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('nonce', 'text', (column) => column.notNull())
      .addColumn('codeVerifier', 'text', (column) => column.notNull())
      .addColumn('answeredAt', 'integer')
      .addColumn('identityJson', 'text')
      .addColumn('expiresAt', 'integer', (column) => column.notNull())
      .execute()
  },
}
