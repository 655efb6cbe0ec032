import { randomInt } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'

import { describeDatabase, type DatabasePlace } from '../db/database-place'
import { listMigrations, migrateMeasured } from '../db/migrate'
import { openDatabase, type Db } from '../db/open'
import type { Deps } from '../domain/deps'
import { DomainError } from '../domain/errors'
import { chooseDatabase } from '../drivers'
import { readFreeBytes } from '../storage/free-bytes'

/** What an update would do to the database, as it was seen on a copy of it. */
export interface UpgradeCheck {
  /** In the order in which they run; none when the database is of this version. */
  migrations: { name: string; tookMs: number }[]
  /** Of the copy, in bytes. */
  before: number
  after: number
  /** The most that it took meanwhile. */
  most: number
  /** Free where the database is; null where that is another machine. */
  freeBytes: number | null
}

const MAX_LOCK = 2 ** 47
const PREFIX = 'upgrade-check-'
/** Copies that a killed command has left behind. */
const LEFT_BEHIND_MS = 24 * 3_600_000

/**
 * Runs the migrations that the SQLite database does not have on a copy of it, in DATA_DIR, and removes the copy. The
 * database itself is only read, and can be in use.
 * @throws DomainError when there is no database, no room for a copy, or a migration fails; NewerDatabaseError
 */
export async function checkUpgrade(
  { config, db, snapshots }: Pick<Deps, 'config' | 'db' | 'snapshots'>,
  now: number,
  signal: AbortSignal,
): Promise<UpgradeCheck> {
  const { dataDir } = config
  await removeLeftBehind(dataDir, now)
  await requireData(config, db)
  const { sizeBytes } = await snapshots.measure(signal)
  const freeBytes = await readFreeBytes(dataDir)
  // A copy, and its log while it is migrated.
  if (freeBytes < 3 * sizeBytes) {
    throw new DomainError(
      'UNAVAILABLE',
      `There is too little room in ${dataDir} to try it on a copy: three times the size of the database must be free`,
    )
  }
  const folder = await mkdtemp(join(dataDir, PREFIX))
  try {
    const path = join(folder, 'app.db')
    await snapshots.write(path, signal)
    const copy = openDatabase(path)
    try {
      const measure = async () => (await sizeOf(path)) + (await sizeOf(`${path}-wal`))
      return { ...(await tryMigrations(copy, measure)), freeBytes }
    } finally {
      await copy.destroy()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * The same on a copy that somebody has made in PostgreSQL, and that is migrated by this.
 * @param copy the product, opened on the copy
 * @throws DomainError when it is the database of the product, which must be reached to tell, or a migration fails;
 * NewerDatabaseError
 */
export async function checkUpgradeOfCopy(
  copy: Pick<Deps, 'config' | 'db' | 'logger'>,
  config: DatabasePlace,
): Promise<UpgradeCheck> {
  const place = describeDatabase(copy.config)
  if (place === describeDatabase(config) || (await isDatabaseOf(config, copy))) {
    throw new DomainError('CONFLICT', `${place} is the database of the product, and no copy`)
  }
  await requireData(copy.config, copy.db)
  const measure = async () => {
    const size = sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    return Number((await size.execute(copy.db)).rows[0]?.bytes)
  }
  return { ...(await tryMigrations(copy.db, measure)), freeBytes: null }
}

/** Whether a database is the product's, under whatever address: a lock that is held there is seen nowhere else. */
async function isDatabaseOf(
  config: DatabasePlace,
  { db: copy, logger }: Pick<Deps, 'db' | 'logger'>,
): Promise<boolean> {
  if (!config.postgresUrl) return false
  const own = chooseDatabase(config, logger)
  const lock = randomInt(MAX_LOCK)
  try {
    return await own.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${lock}::bigint)`.execute(trx)
      const { rows } = await sql<{
        isFree: number
      }>`select pg_try_advisory_xact_lock(${lock}::bigint) as "isFree"`.execute(copy)
      return rows[0]?.isFree !== 1
    })
  } catch (error) {
    const text = `${describeDatabase(config)} cannot be reached, so that nobody knows whether the other one is a copy of it`
    throw new DomainError('UNAVAILABLE', text, { cause: error })
  } finally {
    await own.destroy()
  }
}

async function requireData(config: DatabasePlace, db: Db): Promise<void> {
  if ((await listMigrations(db)).done.length > 0) return
  throw new DomainError(
    'NOT_FOUND',
    `There is nothing of the product in ${describeDatabase(config)}`,
  )
}

async function tryMigrations(
  db: Db,
  measure: () => Promise<number>,
): Promise<Omit<UpgradeCheck, 'freeBytes'>> {
  const { waiting } = await listMigrations(db)
  const before = await measure()
  const took = new Map<string, number>()
  let most = before
  try {
    await migrateMeasured(db, async (name, tookMs) => {
      took.set(name, tookMs)
      most = Math.max(most, await measure())
    })
  } catch (error) {
    const failed = waiting.find((name) => !took.has(name)) ?? 'A migration'
    throw new DomainError(
      'UNAVAILABLE',
      `${failed} fails on a copy of the data: ${(error as Error).message}`,
      { cause: error },
    )
  }
  const after = await measure()
  const migrations = [...took].map(([name, tookMs]) => ({ name, tookMs }))
  return { migrations, before, after, most: Math.max(most, after) }
}

async function removeLeftBehind(dataDir: string, now: number): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path)
    if (now - mtimeMs > LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true })
  }
}

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
