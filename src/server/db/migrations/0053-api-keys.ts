import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { ALL, recordChanges } from './record-changes'

/** Adds keys by which programs call for people, and which of them the audit log tells of. */
export const apiKeysMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('apiKeys')
      .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('userId', 'integer', (column) =>
        column.notNull().references('users.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
      .addColumn('tokenEnd', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('connectionId', 'integer', (column) =>
        column.references('connections.id').onDelete('cascade'),
      )
      .addColumn('retailerId', 'integer', (column) =>
        column.references('retailers.id').onDelete('cascade'),
      )
      .addColumn('networks', 'text', (column) => column.notNull())
      .addColumn('createdAt', 'integer', (column) => column.notNull())
      .addColumn('expiresAt', 'integer')
      .addColumn('expiryToldAt', 'integer')
      .addColumn('lastUsedAt', 'integer')
      .addColumn('program', 'text')
      .addColumn('address', 'text')
      .execute()
    for (const column of ['userId', 'connectionId', 'retailerId', 'expiresAt']) {
      await db.schema.createIndex(`apiKeys_${column}`).on('apiKeys').columns([column]).execute()
    }
    await db.schema.alterTable('auditEntries').addColumn('keyName', 'text').execute()
    await recordChanges(db, [
      { table: 'apiKeys', operations: ALL, word: 'api-key', key: 'id' },
      { table: 'apiKeys', operations: ['insert', 'delete'], word: 'api-keys', key: 'userId' },
    ])
  },
}
