import { isOurHistory } from './migrate'
import { readSchemaObjects } from './schema-objects'
import type { RunSql, SqlRow } from './sqlite/run-sql'
import { runSqlInThread } from './sqlite/sql-thread'

/** Values of a possibly hostile file are cut to this length, which is longer than any of ours. */
const CUT = 10_000
const FOUND_OBJECTS = `select substr(type, 1, ${CUT}) as type, substr(name, 1, ${CUT}) as name,
  substr(tbl_name, 1, ${CUT}) as tableName, substr(sql, 1, ${CUT}) as sql from sqlite_schema`
const SHOWN_CHARACTERS = 100

/** The tables that SQLite adds when ANALYZE is run, with its exact SQL. */
const STATISTICS = [
  toStatistics('sqlite_stat1', 'tbl,idx,stat'),
  toStatistics('sqlite_stat4', 'tbl,idx,neq,nlt,ndlt,sample'),
]

/**
 * Compares the schema of a database file with the one that our migrations create: every table, index,
 * view and trigger must have exactly the same SQL.
 * @param migrations those that have run on the file, as it claims
 * @returns the names of all objects that are unexpected, missing or different
 */
export async function findSchemaDifferences(
  file: string,
  migrations: string[],
  signal: AbortSignal,
  runSql: RunSql = runSqlInThread,
): Promise<string[]> {
  if (!isOurHistory(migrations)) return ['its migrations']
  const expected = await readSchemaObjects(migrations.length)
  // One more than can be valid is enough to find a difference.
  const limit = expected.length + STATISTICS.length + 1
  const [rows = []] = await runSql(file, [{ sql: `${FOUND_OBJECTS} limit ${limit}` }], signal)
  const found = rows.map(toKey)
  const missing: string[] = []
  for (const key of expected.map(toKey)) {
    const at = found.indexOf(key)
    if (at === -1) missing.push(key)
    else found.splice(at, 1)
  }
  const statistics = new Set(STATISTICS.map(toKey))
  const unknown = found.filter((key) => !statistics.has(key))
  return [...new Set([...unknown, ...missing].map(describe))]
}

function toStatistics(name: string, columns: string): SqlRow {
  return { type: 'table', name, tableName: name, sql: `CREATE TABLE ${name}(${columns})` }
}

const toKey = ({ type, name, tableName, sql: text }: SqlRow) =>
  JSON.stringify([type, name, tableName, text])

/** Printable ASCII only: a hostile name could contain terminal control sequences. */
function describe(key: string): string {
  const [type, name] = JSON.parse(key) as unknown[]
  return `${String(type)} ${String(name)}`.slice(0, SHOWN_CHARACTERS).replaceAll(/[^ -~]/g, '?')
}
