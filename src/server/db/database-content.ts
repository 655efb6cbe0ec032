import { sql } from 'kysely'

import { engineOf } from './engine'
import { FILE_COLUMNS } from './file-columns'
import type { Db } from './open'
import type { RunSql } from './sqlite/run-sql'
import { runSqlInThread } from './sqlite/sql-thread'

/** What a backup records and checks about a database file. */
export type DatabaseContent = {
  sizeBytes: number
  /** The migrations that have run on it, in order. */
  migrations: string[]
  /** Rows by table, without the record of what has changed lately. */
  rowCounts: Record<string, number>
  /**
   * The inventory files, key files, lists of gone items and histories that its versions, variants, waiting files and
   * histories of items refer to.
   */
  files: { sha256: string; sizeBytes: number }[]
}

const SIZE = 'select page_count * page_size as sizeBytes from pragma_page_count, pragma_page_size'
const MIGRATIONS = 'select name from kysely_migration order by name'
const TABLES = `select name from sqlite_schema
  where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'changes' order by name`
const FILE_TABLES = [...new Set(FILE_COLUMNS.map(({ table }) => `'${table}'`))].join(', ')
const KNOWN_COLUMNS = `select tables.name as "table", columns.name as "column"
  from sqlite_schema as tables, pragma_table_info(tables.name) as columns
  where tables.type = 'table'
    and tables.name in (${FILE_TABLES})`

/** @param hasColumn whether the database has a column of a table */
function selectFiles(hasColumn: (table: string, column: string) => boolean): string {
  const selects = FILE_COLUMNS.filter(({ table, sha256 }) => hasColumn(table, sha256)).map(
    ({ table, sha256, sizeBytes }) =>
      `select "${sha256}" as sha256, "${sizeBytes}" as "sizeBytes" from "${table}"`,
  )
  return `select sha256, max("sizeBytes") as "sizeBytes" from (${selects.join(' union ')}) as named
    where sha256 is not null group by sha256 order by sha256`
}

export async function readDatabaseContent(
  file: string,
  signal: AbortSignal,
  runSql: RunSql = runSqlInThread,
): Promise<DatabaseContent> {
  const statements = [SIZE, MIGRATIONS, TABLES, KNOWN_COLUMNS].map((text) => ({ sql: text }))
  const results = await runSql(file, statements, signal)
  const [[size] = [], migrations = [], tables = [], columns = []] = results
  const names = tables.map((row) => String(row.name))
  const known = new Set(columns.map(({ table, column }) => `${String(table)}.${String(column)}`))
  const files = selectFiles((table, column) => known.has(`${table}.${column}`))
  const [found = [], ...counts] = await runSql(
    file,
    [{ sql: files }, ...names.map(toCount)],
    signal,
  )
  return {
    sizeBytes: Number(size?.sizeBytes),
    migrations: migrations.map((row) => String(row.name)),
    rowCounts: Object.fromEntries(
      names.map((name, index) => [name, Number(counts[index]?.[0]?.count)]),
    ),
    files: found as DatabaseContent['files'],
  }
}

/** The files that the rows of a database refer to, but for compressed copies, which are made anew. */
export async function readStoredFiles(db: Db): Promise<DatabaseContent['files']> {
  const tables = new Map((await engineOf(db).tables.list(db)).map((table) => [table.name, table]))
  const files = selectFiles((table, column) => tables.get(table)?.columns.includes(column) === true)
  const { rows } = await sql.raw<DatabaseContent['files'][0]>(files).execute(db)
  return rows
}

/** How many bytes these files take, each content counted once. */
export async function measureStoredFiles(db: Db): Promise<number> {
  const columns = FILE_COLUMNS.map(
    ({ table, sha256, sizeBytes }) =>
      `select "${sha256}" as sha256, "${sizeBytes}" as "sizeBytes" from "${table}"`,
  )
  const files = `select max("sizeBytes") as "sizeBytes" from (${columns.join(' union all ')}) as named
    where sha256 is not null group by sha256`
  const { rows } = await sql
    .raw<{ bytes: number | null }>(`select sum("sizeBytes") as bytes from (${files}) as files`)
    .execute(db)
  return rows[0]?.bytes ?? 0
}

const toCount = (table: string) => ({
  sql: `select count(*) as count from "${table.replaceAll('"', '""')}"`,
})

/** Checks the integrity of all pages of a database file; returns a text for each problem. */
export async function findDatabaseProblems(
  file: string,
  signal: AbortSignal,
  runSql: RunSql = runSqlInThread,
): Promise<string[]> {
  const statements = [
    { sql: 'pragma integrity_check' },
    { sql: 'select * from pragma_foreign_key_check limit 100' },
  ]
  const [integrity = [], foreignKeys = []] = await runSql(file, statements, signal)
  const damage = integrity.map((row) => String(row.integrity_check)).filter((text) => text !== 'ok')
  const orphans = foreignKeys.map(
    ({ table, rowid, parent }) => `${String(table)} ${String(rowid)} → ${String(parent)}`,
  )
  return [...damage, ...orphans]
}
