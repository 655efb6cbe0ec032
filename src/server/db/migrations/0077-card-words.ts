import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the categories of cards as text that is searched, without what JSON writes between and in them. */
export const cardWordsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('supplierCards')
      .addColumn('categoryWords', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    const cards = await sql<{ supplierId: number; categories: string }>`
      select "supplierId", categories from "supplierCards"`.execute(db)
    for (const { supplierId, categories } of cards.rows) {
      const words = (JSON.parse(categories) as string[]).join('\n')
      await sql`update "supplierCards" set "categoryWords" = ${words}
        where "supplierId" = ${supplierId}`.execute(db)
    }
  },
}
