import { sql } from 'kysely'

import type { Db } from './open'
import type { RunSql } from './run-sql'
import { runSqlInThread } from './sql-thread'

/** What a backup records and checks about a database file. */
export type DatabaseContent = {
  sizeBytes: number
  /** The migrations that have run on it, in order. */
  migrations: string[]
  /** Rows by table, without the record of what has changed lately. */
  rowCounts: Record<string, number>
  /** The inventory files, key files and lists of gone items that its versions and variants refer to. */
  files: { sha256: string; sizeBytes: number }[]
}

const SIZE = 'select page_count * page_size as sizeBytes from pragma_page_count, pragma_page_size'
const MIGRATIONS = 'select name from kysely_migration order by name'
const TABLES = `select name from sqlite_schema
  where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> 'changes' order by name`
const FILES = `select sha256, max("sizeBytes") as "sizeBytes"
  from (
    select sha256, "sizeBytes" from versions
    union select "keysSha256", "keysBytes" from versions where "keysSha256" is not null
    union select "goneSha256", "goneBytes" from versions where "goneSha256" is not null
    union select sha256, "sizeBytes" from variants where sha256 is not null
  ) as named
  group by sha256 order by sha256`

export async function readDatabaseContent(
  file: string,
  signal: AbortSignal,
  runSql: RunSql = runSqlInThread,
): Promise<DatabaseContent> {
  const statements = [SIZE, MIGRATIONS, TABLES, FILES].map((text) => ({ sql: text }))
  const results = await runSql(file, statements, signal)
  const [[size] = [], migrations = [], tables = [], files = []] = results
  const names = tables.map((row) => String(row.name))
  const counts = await runSql(file, names.map(toCount), signal)
  return {
    sizeBytes: Number(size?.sizeBytes),
    migrations: migrations.map((row) => String(row.name)),
    rowCounts: Object.fromEntries(
      names.map((name, index) => [name, Number(counts[index]?.[0]?.count)]),
    ),
    files: files as DatabaseContent['files'],
  }
}

/** The inventory and key files that the rows of a database refer to. */
export async function readStoredFiles(db: Db): Promise<DatabaseContent['files']> {
  const { rows } = await sql.raw<DatabaseContent['files'][0]>(FILES).execute(db)
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
