import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

import { isPostgres } from './record-changes'

/**
 * Makes all references of PostgreSQL's tables deferrable: a restore copies tables in the order of their names. Those
 * of later migrations are made so (`open-postgres.ts`).
 */
export const deferrableReferencesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    if (!isPostgres(db)) return
    const found = sql<{ table: string; name: string }>`
      select conrelid::regclass::text as "table", conname as name from pg_constraint
      where contype = 'f' and not condeferrable and connamespace = current_schema()::regnamespace`
    for (const { table, name } of (await found.execute(db)).rows) {
      await sql`alter table ${sql.raw(table)} alter constraint ${sql.ref(name)} deferrable`.execute(
        db,
      )
    }
  },
}
