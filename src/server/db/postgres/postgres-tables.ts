import { sql } from 'kysely'

import type { TableAccess } from '../engine'
import { selectStored, toTables, toValues } from '../sqlite/row-values'

const BATCH_ROWS = 1_000

/** PostgreSQL's part in copying rows. */
export const postgresTables: TableAccess = {
  async list(db) {
    const columns = sql<{ table: string; column: string }>`
      select relname as "table", attname as "column"
      from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0
        and not attisdropped and relname not like 'kysely%' order by relname, attnum`
    return toTables((await columns.execute(db)).rows)
  },
  async deferReferences(trx) {
    await sql`set constraints all deferred`.execute(trx)
  },
  async *readRows(trx, table, columns) {
    await sql`declare copied no scroll cursor for
      select ${selectStored(columns)} from ${sql.table(table)}`.execute(trx)
    const next = sql<Record<string, unknown>>`fetch ${sql.lit(BATCH_ROWS)} from copied`
    for (;;) {
      const { rows } = await next.execute(trx)
      if (rows.length === 0) break
      yield rows.map((row) => toValues(row, columns))
    }
    await sql`close copied`.execute(trx)
  },
  async readLastIds(trx) {
    const found = await listIdentities.execute(trx)
    const given = found.rows.filter(({ lastId }) => lastId !== null)
    return new Map(given.map(({ name, lastId }) => [name, Number(lastId)]))
  },
  async writeLastIds(trx, lastIds) {
    for (const { name, sequence } of (await listIdentities.execute(trx)).rows) {
      // SQLite has 0 for a table that never had a row.
      const lastId = lastIds.get(name) ?? 0
      await (
        lastId === 0
          ? sql`select setval(${sequence}::regclass, 1, false)`
          : sql`select setval(${sequence}::regclass, ${lastId}::bigint)`
      ).execute(trx)
    }
  },
}

const listIdentities = sql<{ name: string; sequence: string; lastId: number | null }>`
  select owner.relname as name, sequence.oid::regclass::text as sequence,
    pg_sequence_last_value(sequence.oid) as "lastId"
  from pg_class as sequence
  join pg_depend as own on own.objid = sequence.oid and own.deptype = 'i'
  join pg_class as owner on owner.oid = own.refobjid
  where sequence.relkind = 'S' and sequence.relnamespace = current_schema()::regnamespace`
