import { sql } from 'kysely'

import type { TableAccess } from '../engine'
import { selectStored, toTables, toValues } from './row-values'

const BATCH_ROWS = 1_000

/** SQLite's part in copying rows. No statement stays open between batches. */
export const sqliteTables: TableAccess = {
  async list(db) {
    const columns = sql<{ table: string; column: string }>`
      select tables.name as "table", columns.name as "column"
      from sqlite_schema as tables, pragma_table_info(tables.name) as columns
      where tables.type = 'table' and tables.name not like 'sqlite%'
        and tables.name not like 'kysely%' order by tables.name, columns.cid`
    return toTables((await columns.execute(db)).rows)
  },
  async deferReferences(trx) {
    await sql`pragma defer_foreign_keys = on`.execute(trx)
  },
  async *readRows(trx, table, columns) {
    for (let after: unknown = 0; ;) {
      const batch = sql<Record<string, unknown>>`
        select rowid as place, ${selectStored(columns)} from ${sql.table(table)}
        where rowid > ${after} order by rowid limit ${BATCH_ROWS}`
      const { rows } = await batch.execute(trx)
      if (rows.length > 0) yield rows.map((row) => toValues(row, columns))
      if (rows.length < BATCH_ROWS) return
      after = rows.at(-1)?.place
    }
  },
  async readLastIds(trx) {
    const lastIds = sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`
    const { rows } = await lastIds.execute(trx)
    return new Map(rows.map(({ name, seq }) => [name, seq]))
  },
  async writeLastIds(trx, lastIds) {
    await sql`delete from sqlite_sequence`.execute(trx)
    for (const [name, seq] of lastIds) {
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${seq})`.execute(trx)
    }
  },
}
