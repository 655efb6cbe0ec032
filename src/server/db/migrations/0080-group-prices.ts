import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds how prices are made for members of a group, and for a retailer. Those that are in a group have what it has. */
export const groupPricesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('retailerGroups').addColumn('priceRules', 'text').execute()
    await db.schema
      .alterTable('retailerGroups')
      .addColumn('pricesChangedAt', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('retailers').addColumn('priceRules', 'text').execute()
    await db.schema
      .alterTable('retailers')
      .addColumn('hasOwnPrices', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await sql`update "retailers" set "hasOwnPrices" = 0 where "groupId" is not null`.execute(db)
  },
}
