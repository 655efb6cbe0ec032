import { sql } from 'kysely'

import { engineOf, type Table } from '../engine'
import { inTransaction, type Db, type WriteTransaction } from '../open'

/** Fewer than any engine's limit of the parameters of a statement. */
const MAX_PARAMETERS = 30_000

/** The product's tables, without those that record its migrations and what has changed lately. */
export async function listTables(db: Db): Promise<Table[]> {
  const tables = await engineOf(db).tables.list(db)
  return tables.filter(({ name }) => name !== 'changes')
}

/**
 * Replaces all rows of a database by those of another one, as they are at one instant, whatever the
 * engines of the two. Both have the same schema.
 * @throws the reason of `signal`; nothing is changed then
 */
export async function copyRows(from: Db, to: Db, signal: AbortSignal): Promise<void> {
  const tables = await listTables(to)
  await from
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((source) =>
      inTransaction(to, async (target) => {
        const [reading, writing] = [engineOf(from).tables, engineOf(to).tables]
        await writing.deferReferences(target)
        for (const { name } of tables) await sql`delete from ${sql.table(name)}`.execute(target)
        for (const table of tables) {
          for await (const rows of reading.readRows(source, table.name, table.columns)) {
            signal.throwIfAborted()
            await insertRows(target, table, rows)
          }
        }
        // Nobody has a window of these rows.
        await target.deleteFrom('changes').execute()
        await writing.writeLastIds(target, await reading.readLastIds(source))
      }),
    )
}

/** Inserts rows whose values are in the order of the table's columns. */
export async function insertRows(
  trx: WriteTransaction,
  { name, columns }: Table,
  rows: unknown[][],
): Promise<void> {
  const size = Math.floor(MAX_PARAMETERS / columns.length)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  for (let start = 0; start < rows.length; start += size) {
    const values = rows.slice(start, start + size).map((row) => sql`(${sql.join(row)})`)
    await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(trx)
  }
}
