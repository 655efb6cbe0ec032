import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'

import type { Config } from '../config'
import { copyPlainRows } from '../db/copy-plain-rows'
import { isNewer, migrateToLatest } from '../db/migrate'
import { openDatabase, type Db } from '../db/open'
import { dropSchema } from '../db/postgres/drop-schema'
import { openPostgres } from '../db/postgres/open-postgres'
import { createPostgresSnapshots } from '../db/postgres/snapshots-postgres'
import { copyRows } from '../db/queries-kit/copy-rows'
import { lockDatabase } from '../db/sqlite/database-lock'
import { DomainError } from '../domain/errors'
import { codeOf } from '../process/error-code'
import { exists } from './restore-moves'

const LOOKS = 20
const LOOK_EVERY_MS = 100
const SIGNAL = new AbortController().signal

/** Where the restored SQLite database goes: its place, or one from which PostgreSQL gets its rows. */
export const toDatabaseTarget = ({ postgresUrl, databaseFile, dataDir }: Config) =>
  postgresUrl === undefined ? databaseFile : join(dataDir, 'restored.db')

/** Whether there already is a database of the product. */
export function hasDatabase({ postgresUrl, databaseFile }: Config): Promise<boolean> {
  return postgresUrl === undefined ? exists(databaseFile) : withPostgres(postgresUrl, hasTables)
}

/** @throws DomainError CONFLICT while any process has the database open */
export async function requireUnused({ postgresUrl, databaseFile }: Config): Promise<void> {
  const isInUse =
    postgresUrl === undefined
      ? isFileInUse(databaseFile)
      : await withPostgres(postgresUrl, staysInUse)
  if (!isInUse) return
  const what = postgresUrl === undefined ? databaseFile : 'The PostgreSQL database'
  throw new DomainError('CONFLICT', `${what} is in use. Stop the product and its workers first.`)
}

/** As `requireUnused`, but waits as long for processes that are ending. */
export async function awaitUnused(config: Config, patienceMs: number): Promise<void> {
  for (const until = performance.now() + patienceMs; ;) {
    try {
      return await requireUnused(config)
    } catch (error) {
      if (!(error instanceof DomainError) || performance.now() >= until) throw error
      await sleep(LOOK_EVERY_MS)
    }
  }
}

/**
 * Replaces the rows in PostgreSQL by the restored ones, in one transaction; on SQLite the database is in
 * its place already. After a crash, calling this again completes it.
 * @param aside where the rows that are replaced are kept, as an SQLite database
 */
export async function loadRestoredRows(config: Config, aside: string): Promise<void> {
  const { postgresUrl } = config
  const source = toDatabaseTarget(config)
  if (postgresUrl === undefined || !(await exists(source))) return
  await withPostgres(postgresUrl, async (db) => {
    if ((await hasTables(db)) && !(await exists(aside))) await keepRows(db, aside)
    // Its rows are kept by now.
    if (await isNewer(db)) await dropSchema(db)
    await migrateToLatest(db)
    const restored = openDatabase(source)
    try {
      await copyRows(restored, db, SIGNAL)
    } finally {
      await restored.destroy()
    }
  })
  await rm(source)
}

async function keepRows(db: Db, aside: string): Promise<void> {
  // An unfinished copy would otherwise pass for a whole one.
  const draft = `${aside}.tmp`
  await mkdir(dirname(aside), { recursive: true, mode: 0o700 })
  await rm(draft, { force: true })
  if (await isNewer(db)) await keepPlainRows(db, draft)
  else await createPostgresSnapshots(db).write(draft, SIGNAL)
  await rename(draft, aside)
}

async function keepPlainRows(db: Db, path: string): Promise<void> {
  const copy = openDatabase(path)
  try {
    await copyPlainRows(db, copy, SIGNAL)
  } finally {
    await copy.destroy()
  }
}

/** Opens the database that there is for as long as `use` takes. */
export async function withDatabase<T>(
  { postgresUrl, databaseFile }: Config,
  use: (db: Db) => Promise<T>,
): Promise<T> {
  if (postgresUrl !== undefined) return withPostgres(postgresUrl, use)
  const db = openDatabase(databaseFile)
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

async function withPostgres<T>(url: string, use: (db: Db) => Promise<T>): Promise<T> {
  const db = openPostgres(url, () => undefined)
  try {
    return await use(db)
  } finally {
    await db.destroy()
  }
}

async function hasTables(db: Db): Promise<boolean> {
  const found = sql<{ name: string | null }>`select to_regclass('users')::text as name`
  return (await found.execute(db)).rows[0]?.name !== null
}

/** The server notices only after a moment that a process has closed its connections. */
async function staysInUse(db: Db): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    if (!(await hasOtherConnections(db))) return false
    await sleep(LOOK_EVERY_MS)
  }
  return true
}

async function hasOtherConnections(db: Db): Promise<boolean> {
  const others = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'stockbridge'
      and pid <> pg_backend_pid()`
  return ((await others.execute(db)).rows[0]?.count ?? 0) > 0
}

function isFileInUse(databaseFile: string): boolean {
  if (!existsSync(databaseFile)) return false
  try {
    const release = lockDatabase(databaseFile)
    release?.()
    return release === undefined
  } catch (error) {
    // A database damaged beyond reading is what a restore is for.
    const isDamaged = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(codeOf(error))
    if (isDamaged) return false
    throw error
  }
}
