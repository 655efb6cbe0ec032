import { readFileSync } from 'node:fs'
import { readdir, utimes, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Config } from '../config'
import { listMigrations, migrateToLatest } from '../db/migrate'
import { NewerDatabaseError } from '../db/newer-database'
import { openDatabase } from '../db/open'
import { openDeps } from '../deps'
import { createLogger } from '../observability/logger'
import { makeTarget } from '../testing/fixtures/backups'
import { EARLIER, seedEarlier } from '../testing/fixtures/earlier-database'
import { seedStock } from '../testing/fixtures/stock'
import { checkUpgrade, checkUpgradeOfCopy } from './upgrade-check'

const { signal } = new AbortController()
const NOW = Date.now()

let config: Config
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ config, remove } = await makeTarget())
})
afterEach(() => remove())

/** Leaves the database of an installation of an earlier version. */
async function leaveEarlier(): Promise<void> {
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  await seedEarlier(deps, (seeded) => seedStock(seeded, { files: ['sku\r\n1\r\n'], retailers: 3 }))
  await close()
}

async function withDatabase<T>(work: (db: ReturnType<typeof openDatabase>) => Promise<T>) {
  const db = openDatabase(config.databaseFile)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function check() {
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    return await checkUpgrade(deps, NOW, signal)
  } finally {
    await close()
  }
}

const copies = async () =>
  (await readdir(config.dataDir)).filter((name) => name.startsWith('upgrade-check-'))

describe('an update that is tried', () => {
  it('runs all new migrations on a copy, tells what each takes, and leaves the data as they were', async () => {
    await leaveEarlier()
    const before = readFileSync(config.databaseFile)
    const seen = await check()
    const { waiting } = await withDatabase(listMigrations)
    expect(waiting.length).toBeGreaterThan(30)
    expect(seen.migrations.map(({ name }) => name)).toEqual(waiting)
    for (const { tookMs } of seen.migrations) expect(tookMs).toBeGreaterThan(0)
    expect(seen.before).toBeGreaterThan(10_000)
    expect(seen.most).toBeGreaterThanOrEqual(Math.max(seen.before, seen.after))
    expect(seen.freeBytes).toBeGreaterThan(0)
    expect(readFileSync(config.databaseFile).equals(before)).toBe(true)
    expect(await copies()).toEqual([])
  })

  it('has nothing to run on a database of this version', async () => {
    await leaveEarlier()
    await withDatabase(migrateToLatest)
    expect((await check()).migrations).toEqual([])
  })

  it('names the migration that fails, and leaves no copy', async () => {
    await leaveEarlier()
    const { waiting } = await withDatabase(listMigrations)
    // What it adds is there already.
    await withDatabase((db) => sql`create table "accountMails" (id integer)`.execute(db))
    await expect(check()).rejects.toThrow(
      /^0045-account-mails fails on a copy of the data: .*already exists/,
    )
    expect(await copies()).toEqual([])
    expect((await withDatabase(listMigrations)).waiting).toEqual(waiting)
    expect((await withDatabase(listMigrations)).done).toHaveLength(EARLIER)
  })

  it('is refused without a database, and for one of a newer version', async () => {
    await expect(check()).rejects.toThrow('There is nothing of the product in')
    await leaveEarlier()
    await withDatabase((db) =>
      sql`insert into kysely_migration (name, timestamp) values ('9999-most', '')`.execute(db),
    )
    await expect(check()).rejects.toThrow(NewerDatabaseError)
  })

  it('removes what a killed command has left, but not what another one has just made', async () => {
    await leaveEarlier()
    const [old, young] = ['old', 'young'].map((name) =>
      join(config.dataDir, `upgrade-check-${name}`),
    ) as [string, string]
    for (const path of [old, young]) await mkdir(path)
    const yesterday = new Date(NOW - 25 * 3_600_000)
    await utimes(old, yesterday, yesterday)
    await check()
    expect(await copies()).toEqual(['upgrade-check-young'])
  })
})

it('the database of the product is never taken for a copy of it', async () => {
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  const postgresUrl = 'postgres://stockbridge:one@db.example/stock'
  const other = 'postgresql://admin:other@db.example/stock?sslmode=require'
  const copy = { ...deps, config: { ...config, postgresUrl: other } }
  const refused = checkUpgradeOfCopy(copy, { ...config, postgresUrl })
  await expect(refused).rejects.toThrow('and no copy')
  await close()
})
