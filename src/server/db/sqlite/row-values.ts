import { sql } from 'kysely'

import type { Table } from '../engine'

/**
 * The columns of a select whose values arrive as they are stored: under names that no codec knows.
 * @see toValues
 */
export const selectStored = (columns: readonly string[]) =>
  sql.join(columns.map((column, place) => sql`${sql.ref(column)} as ${sql.ref(`c${place}`)}`))

/** The values of a row that was selected by `selectStored`, in the order of its columns. */
export const toValues = (row: Record<string, unknown>, columns: readonly string[]) =>
  columns.map((_column, place) => row[`c${place}`])

/** Tables with their columns, of rows with a name each. */
export function toTables(rows: readonly { table: string; column: string }[]): Table[] {
  const byTable = Map.groupBy(rows, ({ table }) => table)
  return [...byTable].map(([name, columns]) => ({
    name,
    columns: columns.map((row) => row.column),
  }))
}
