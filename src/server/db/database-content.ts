import { sql } from 'kysely'

import { engineOf } from './engine'
import { FILE_COLUMNS } from './file-columns'
import type { Db } from './open'
import type { RunSql, SqlRow } from './sqlite/run-sql'
import { runSqlInThread } from './sqlite/sql-thread'

/** What a backup records and checks about a database file. */
export type DatabaseContent = {
  sizeBytes: number
  /** The migrations that have run on it, in order. */
  migrations: string[]
  /** Rows by table, without the record of what has changed lately. */
  rowCounts: Record<string, number>
  /** How many files its rows refer to, and how many bytes these take; each content counts once. */
  fileCount: number
  fileBytes: number
}

/** A file that rows refer to. */
export type NamedFile = { sha256: string; sizeBytes: number }

const SIZE = 'select page_count * page_size as sizeBytes from pragma_page_count, pragma_page_size'
const MIGRATIONS = 'select name from kysely_migration order by name'
const TABLES = `select name from sqlite_schema
  where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'changes' order by name`
const FILE_TABLES = [...new Set(FILE_COLUMNS.map(({ table }) => `'${table}'`))].join(', ')
const KNOWN_COLUMNS = `select tables.name as "table", columns.name as "column"
  from sqlite_schema as tables, pragma_table_info(tables.name) as columns
  where tables.type = 'table'
    and tables.name in (${FILE_TABLES})`

type HasColumn = (table: string, column: string) => boolean

/**
 * The inventory files, key files, lists of gone items and histories that versions, variants, waiting files and histories
 * of items refer to, but for compressed copies, which are made anew.
 * @param hasColumn whether the database has a column of a table
 * @param prefix with which their hashes begin
 */
function selectFiles(hasColumn: HasColumn, prefix = ''): string {
  const selects = FILE_COLUMNS.filter(({ table, sha256 }) => hasColumn(table, sha256)).map(
    ({ table, sha256, sizeBytes }) =>
      `select "${sha256}" as sha256, "${sizeBytes}" as "sizeBytes" from "${table}"
        where "${sha256}" >= '${prefix}' and "${sha256}" < '${prefix}g'`,
  )
  return `select sha256, max("sizeBytes") as "sizeBytes" from (${selects.join(' union ')}) as named
    group by sha256`
}

const inOrder = (files: string) => `${files} order by sha256`
const toTotals = (files: string) =>
  `select count(*) as "fileCount", sum("sizeBytes") as "fileBytes" from (${files}) as files`

export async function readDatabaseContent(
  file: string,
  signal: AbortSignal,
  runSql: RunSql = runSqlInThread,
): Promise<DatabaseContent> {
  const statements = [SIZE, MIGRATIONS, TABLES, KNOWN_COLUMNS].map((text) => ({ sql: text }))
  const results = await runSql(file, statements, signal)
  const [[size] = [], migrations = [], tables = [], columns = []] = results
  const names = tables.map((row) => String(row.name))
  const files = toTotals(selectFiles(toHasColumn(columns)))
  const [[totals] = [], ...counts] = await runSql(
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
    fileCount: Number(totals?.fileCount),
    fileBytes: Number(totals?.fileBytes),
  }
}

function toHasColumn(columns: SqlRow[]): HasColumn {
  const known = new Set(columns.map(({ table, column }) => `${String(table)}.${String(column)}`))
  return (table, column) => known.has(`${table}.${column}`)
}

/**
 * The files that the rows of a database refer to, in the order of their hashes.
 * @param prefixes with which the hashes begin; an empty one for all
 * @returns those of each prefix
 */
export async function readNamedFiles(
  file: string,
  prefixes: readonly string[],
  signal: AbortSignal,
  runSql: RunSql = runSqlInThread,
): Promise<NamedFile[][]> {
  const [columns = []] = await runSql(file, [{ sql: KNOWN_COLUMNS }], signal)
  const hasColumn = toHasColumn(columns)
  const statements = prefixes.map((prefix) => ({ sql: inOrder(selectFiles(hasColumn, prefix)) }))
  return (await runSql(file, statements, signal)) as NamedFile[][]
}

/** The files that the rows of the open database refer to. */
export async function listNamedFiles(db: Db): Promise<NamedFile[]> {
  return runRaw(db, inOrder(selectFiles(await findColumns(db))))
}

/** How many files the rows of the open database refer to, and how many bytes these take. */
export async function measureNamedFiles(
  db: Db,
): Promise<Pick<DatabaseContent, 'fileCount' | 'fileBytes'>> {
  const [totals] = await runRaw<Record<string, number | null>>(
    db,
    toTotals(selectFiles(await findColumns(db))),
  )
  return { fileCount: Number(totals?.fileCount), fileBytes: Number(totals?.fileBytes) }
}

async function findColumns(db: Db): Promise<HasColumn> {
  const tables = new Map((await engineOf(db).tables.list(db)).map((table) => [table.name, table]))
  return (table, column) => tables.get(table)?.columns.includes(column) === true
}

async function runRaw<Row>(db: Db, statement: string): Promise<Row[]> {
  const { rows } = await sql.raw<Row>(statement).execute(db)
  return rows
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
