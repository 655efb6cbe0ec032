import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Config } from '../config'
import { listMigrations, migrateToEarlier } from '../db/migrate'
import { listTables } from '../db/queries-kit/copy-rows'
import { openDeps, type OpenDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { isBackingUp } from '../features/distribution/stored-files/leases.queries'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { createLogger } from '../observability/logger'
import { makeTarget, restore } from '../testing/fixtures/backups'
import { EARLIER, seedEarlier } from '../testing/fixtures/earlier-database'
import { runBackup, seedStock } from '../testing/fixtures/stock'
import { findBrokenFiles, listStoredFiles, storeContent } from '../testing/fixtures/stored-files'
import { upgradeDatabase } from './upgrade-database'

let config: Config
let remove: () => Promise<void>
let opened: OpenDeps[]
let lines: string[]

beforeEach(async () => {
  ;({ config, remove } = await makeTarget())
  opened = []
  lines = []
})
afterEach(async () => {
  await closeAll()
  await remove()
})

/** Opens what a process of the product does. */
async function open(): Promise<Deps> {
  const one = await openDeps(config, createLogger({ logLevel: 'silent' }))
  opened.push(one)
  return one.deps
}

async function closeAll() {
  for (const { close } of opened.splice(0)) await close()
}

/** A process that finds an installation of an earlier version, with two files and three retailers. */
async function openEarlier(): Promise<Deps> {
  const deps = await open()
  await seedEarlier(deps, async (seeded) => {
    await ensureCronJobs(seeded)
    await seedStock(seeded, { files: ['sku\r\n1\r\n', 'sku\r\n2\r\n'], retailers: 3 })
  })
  return deps
}

const upgrade = (deps: Deps, isBackedUp = true) =>
  upgradeDatabase(deps, { report: (line) => void lines.push(line), isBackedUp })

/** All rows of the product's tables, and the hashes of its files. */
async function readAll(deps: Deps) {
  const rows: Record<string, unknown[]> = {}
  for (const { name } of await listTables(deps.db)) {
    rows[name] = (await sql`select * from ${sql.table(name)}`.execute(deps.db)).rows
  }
  return { rows, files: (await listStoredFiles(deps)).toSorted() }
}

const failing = (deps: Deps, code: string): Deps => ({
  ...deps,
  backups: {
    ...deps.backups,
    createDraft: () => Promise.reject(Object.assign(new Error('It failed'), { code })),
  },
})

describe('an upgrade', () => {
  it('is undone by restoring the backup that it prints', async () => {
    const deps = await openEarlier()
    const before = await readAll(deps)
    expect((await upgrade(deps)).length).toBeGreaterThan(0)
    const [backup] = await deps.backups.list()
    expect(backup?.kind).toBe('upgrade')
    expect(backup?.manifest.migrations).toHaveLength(EARLIER)
    const folder = join(config.backupsDir, backup!.name)
    expect(lines.at(-1)).toBe(`The backup before this update is ${folder}`)
    await sql`delete from users`.execute(deps.db)
    await closeAll()
    await rm(config.filesDir, { recursive: true })

    await restore(config, folder, { replace: true })
    const restored = await open()
    expect(await readAll(restored)).toMatchObject(before)
    expect(await findBrokenFiles(restored)).toEqual([])
  })

  it('backs up the first schema too, with the files that it names', async () => {
    const deps = await open()
    await migrateToEarlier(deps.db, 1)
    const { sha256, sizeBytes } = await storeContent(deps.files, 'sku\r\n1\r\n')
    await sql`insert into users (username, usernameKey, role, createdAt)
      values ('acme', 'acme', 'SUPPLIER', 0)`.execute(deps.db)
    await sql`insert into connections
      (supplierId, name, type, configJson, fileFormat, syncFrequencyMinutes, createdAt)
      values (1, 'Feed', 'URL', '{}', 'CSV', 60, 0)`.execute(deps.db)
    await sql`insert into versions (connectionId, fileName, sha256, sizeBytes, rowCount, status,
      isRewritten, createdAt, columnsJson, dialectJson, problemsJson, categoryCountsJson, headRowsJson)
      values (1, 'a.csv', ${sha256}, ${sizeBytes}, 1, 'published', 0, 0, '[]', '{}', '[]', '[]', '[]')`.execute(
      deps.db,
    )
    await upgrade(deps)
    const [backup] = await deps.backups.list()
    expect(backup?.manifest).toMatchObject({
      migrations: ['0001-initial'],
      files: [{ sha256, sizeBytes }],
    })
    await closeAll()
    await restore(config, join(config.backupsDir, backup!.name), { replace: true })
    expect(await findBrokenFiles(await open())).toEqual([])
  })

  it('deletes no stored file while the backup is made', async () => {
    const deps = await openEarlier()
    const seen: boolean[] = []
    const snapshots: Deps['snapshots'] = {
      ...deps.snapshots,
      async write(target, signal) {
        seen.push(await isBackingUp(deps.db, deps.clock.now()))
        await deps.snapshots.write(target, signal)
      },
    }
    await upgrade({ ...deps, snapshots })
    expect([seen, await isBackingUp(deps.db, deps.clock.now())]).toEqual([[true], false])
  })

  it('makes one backup when several processes start at once', async () => {
    await openEarlier()
    const others = [await open(), await open()]
    const ran = await Promise.all(others.map((deps) => upgrade(deps)))
    expect(ran.filter((names) => names.length > 0)).toHaveLength(1)
    expect(await others[0]!.backups.list()).toHaveLength(1)
    expect(lines).toContain(
      'Another process is making a backup, or is migrating the database: waiting',
    )
  })

  it('makes no backup of a database that has nothing in it, or is up to date', async () => {
    const deps = await open()
    expect((await upgrade(deps)).length).toBeGreaterThan(EARLIER)
    await seedStock(deps, { files: [], retailers: 1 })
    expect(await upgrade(deps)).toEqual([])
    expect([await deps.backups.list(), lines]).toEqual([[], []])
  })

  it('makes no backup of an earlier schema without any account', async () => {
    const deps = await open()
    await migrateToEarlier(deps.db, EARLIER)
    expect((await upgrade(deps)).length).toBeGreaterThan(0)
    expect(await deps.backups.list()).toEqual([])
  })
})

describe('an upgrade whose backup fails', () => {
  it.each([
    ['ENOSPC', 'The disk became full during the backup'],
    ['EIO', 'It failed'],
  ])('with %s does not begin, and says what to do', async (code, reason) => {
    const deps = await openEarlier()
    await expect(upgrade(failing(deps, code))).rejects.toThrow(
      `The database was not migrated, because it could not be backed up: ${reason}. ` +
        'To go on without a way back, run npm run migrate -- --without-backup',
    )
    expect((await listMigrations(deps.db)).done).toHaveLength(EARLIER)
    expect(await isBackingUp(deps.db, deps.clock.now())).toBe(false)
  })

  it('can go on without one', async () => {
    const deps = await openEarlier()
    expect((await upgrade(failing(deps, 'ENOSPC'), false)).length).toBeGreaterThan(0)
    expect((await listMigrations(deps.db)).waiting).toEqual([])
  })
})

describe('a migration that fails', () => {
  it('leaves the database as it was, and names the backup', async () => {
    const deps = await openEarlier()
    // A name that the next migration uses. Writes have their turns, so that this comes before it.
    const block = async (line: string) => {
      if (line.startsWith('The backup'))
        await sql`create index "pullDaysDay" on users (id)`.execute(deps.db)
    }
    await expect(upgradeDatabase(deps, { report: (line) => void block(line) })).rejects.toThrow(
      /^The database could not be migrated, and is as it was: .*already exists\. The backup is .*stockbridge-/,
    )
    expect((await listMigrations(deps.db)).done).toHaveLength(EARLIER)
    expect(await deps.backups.list()).toMatchObject([{ kind: 'upgrade' }])
    expect(await isBackingUp(deps.db, deps.clock.now())).toBe(false)
    await sql`drop index "pullDaysDay"`.execute(deps.db)
    expect((await upgrade(deps)).length).toBeGreaterThan(0)
    expect(await deps.backups.list()).toHaveLength(1)
  })
})

describe('a database that a newer version has migrated', () => {
  it('is refused, with both versions and the newest backup that can be restored', async () => {
    const deps = await open()
    await upgrade(deps)
    await seedStock(deps, { files: [], retailers: 1 })
    const migrateFurther = sql`insert into kysely_migration (name, timestamp)
      values ('9998-more', ''), ('9999-most', '')`
    await migrateFurther.execute(deps.db)
    const newer =
      /^A newer version of the product has migrated the database to 9999-most, and this version, \d+\.\d+\.\d+, knows migrations up to \d{4}-[a-z-]+\. Install the newer version here too/
    await expect(upgrade(deps)).rejects.toThrow(newer)
    await expect(upgrade(deps)).rejects.toThrow('here too: no backup is from before.')
    await sql`delete from kysely_migration where name > '9'`.execute(deps.db)
    await runBackup(deps)
    await migrateFurther.execute(deps.db)
    const [backup] = await deps.backups.list()
    const folder = join(config.backupsDir, backup!.name)
    await expect(upgrade(deps)).rejects.toThrow(
      `or go back to the newest backup from before: npm run restore -- ${folder} --replace`,
    )
    await closeAll()
    await restore(config, folder, { replace: true })
    expect(await upgrade(await open())).toEqual([])
  })
})
