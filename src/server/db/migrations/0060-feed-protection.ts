import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { recordChanges } from './record-changes'

const PROTECTION = ['passwordHash', 'networks', 'validUntil']

/** Adds what protects feed addresses besides their token, and the last read that was refused. */
export const feedProtectionMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const table = 'feedAddresses'
    for (const column of [
      'passwordHash',
      'passwordEnd',
      'refusal',
      'refusedClient',
      'refusedFrom',
    ]) {
      await db.schema.alterTable(table).addColumn(column, 'text').execute()
    }
    await db.schema
      .alterTable(table)
      .addColumn('networks', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    for (const column of ['validUntil', 'expiryToldAt', 'refusedAt']) {
      await db.schema.alterTable(table).addColumn(column, 'integer').execute()
    }
    await db.schema
      .createIndex('feedAddresses_validUntil')
      .on(table)
      .columns(['validUntil'])
      .execute()
    await recordChanges(db, [
      {
        table,
        operations: ['update'],
        columns: PROTECTION,
        word: 'address',
        key: 'id',
        of: 'protection',
      },
      {
        table,
        operations: ['update'],
        columns: [...PROTECTION, 'refusedAt'],
        word: 'retailer',
        key: 'retailerId',
        of: 'protection',
      },
    ])
  },
}
