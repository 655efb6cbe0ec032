import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { recordChanges } from './record-changes'

/** Records for a supplier that it has a new retailer, whose first read its windows wait for. */
export const unreadShopsMigration: Migration = {
  up: (db: Kysely<unknown>) =>
    recordChanges(db, [
      { table: 'retailers', operations: ['insert'], word: 'supplier', key: 'supplierId' },
    ]),
}
