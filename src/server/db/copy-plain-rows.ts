import { sql } from 'kysely'

import { engineOf } from './engine'
import { inTransaction, type Db } from './open'
import { insertRows } from './queries-kit/copy-rows'

/**
 * Copies all rows, as they are at one instant, to tables without types, keys and indexes: for a
 * database whose schema is a newer version's.
 * @param to an empty SQLite database
 * @throws the reason of `signal`; nothing is written then
 */
export async function copyPlainRows(from: Db, to: Db, signal: AbortSignal): Promise<void> {
  const { tables } = engineOf(from)
  await from
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((source) =>
      inTransaction(to, async (target) => {
        for (const table of await tables.list(source)) {
          const columns = sql.join(table.columns.map((column) => sql.ref(column)))
          await sql`create table ${sql.table(table.name)} (${columns})`.execute(target)
          for await (const rows of tables.readRows(source, table.name, table.columns)) {
            signal.throwIfAborted()
            await insertRows(target, table, rows)
          }
        }
      }),
    )
}
