import { join } from 'node:path'

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Config } from '../config'
import { isNewer, listMigrations } from '../db/migrate'
import { openDatabase } from '../db/open'
import { listTables } from '../db/queries-kit/copy-rows'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { ensureCronJobs } from '../features/operations/cron-jobs/cron-jobs'
import { createLogger } from '../observability/logger'
import { checkUpgradeOfCopy } from '../start/upgrade-check'
import { upgradeDatabase } from '../start/upgrade-database'
import { makeTarget, restore } from '../testing/fixtures/backups'
import { EARLIER, seedEarlier } from '../testing/fixtures/earlier-database'
import { seedStock } from '../testing/fixtures/stock'
import { listStoredFiles } from '../testing/fixtures/stored-files'
import { createPostgresDatabase } from '../testing/stages/test-database'

let config: Config
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ config, remove } = await makeTarget())
  config.postgresUrl = await createPostgresDatabase()
})
afterEach(() => remove())

async function use<T>(work: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await openDeps(config, createLogger({ logLevel: 'silent' }))
  try {
    return await work(deps)
  } finally {
    await close()
  }
}

/** All rows of the product's tables, and the hashes of its files. */
async function readAll(deps: Deps) {
  const rows: Record<string, unknown[]> = {}
  for (const { name } of await listTables(deps.db)) {
    const all = await sql`select * from ${sql.table(name)} order by 1, 2`.execute(deps.db)
    rows[name] = all.rows
  }
  return { rows, files: (await listStoredFiles(deps)).toSorted() }
}

async function upgradeEarlier() {
  return use(async (deps) => {
    await seedEarlier(deps, async (seeded) => {
      await ensureCronJobs(seeded)
      await seedStock(seeded, { files: ['sku\r\n1\r\n'], retailers: 3 })
    })
    const before = await readAll(deps)
    const lines: string[] = []
    await upgradeDatabase(deps, { report: (line) => void lines.push(line) })
    const [backup] = await deps.backups.list()
    const folder = join(config.backupsDir, backup!.name)
    expect(lines.at(-1)).toBe(`The backup before this update is ${folder}`)
    return { before, folder, backup: backup! }
  })
}

it('backs up the schema of an earlier version, and restores it with every row and file', async () => {
  const { before, folder, backup } = await upgradeEarlier()
  expect(backup.manifest.migrations).toHaveLength(EARLIER)
  await use(({ db }) => sql`delete from users`.execute(db))
  await restore(config, folder, { replace: true })
  expect(await use(readAll)).toMatchObject(before)
})

it('restores over a database that a newer version has migrated, whose rows are kept', async () => {
  const { before, folder } = await upgradeEarlier()
  await use(async ({ db }) => {
    await sql`create table novelties (id bigint primary key, name text)`.execute(db)
    await sql`insert into novelties values (1, 'new')`.execute(db)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-most', '')`.execute(db)
  })
  const refused = use((deps) => upgradeDatabase(deps, { report: () => undefined }))
  await expect(refused).rejects.toThrow(`npm run restore -- ${folder} --replace`)
  const lines = await restore(config, folder, { replace: true })
  expect(await use(readAll)).toMatchObject(before)
  expect(await use(({ db }) => isNewer(db))).toBe(false)
  expect(await use(({ db }) => listMigrations(db))).toMatchObject({ waiting: [] })
  const kept = /is in (?<folder>.*)/.exec(lines.at(-1) ?? '')?.groups?.folder ?? ''
  const copy = openDatabase(join(kept, 'restored.db'))
  expect((await sql`select * from novelties`.execute(copy)).rows).toEqual([{ id: 1, name: 'new' }])
  expect(await copy.selectFrom('users').select('id').execute()).toHaveLength(4)
  await copy.destroy()
})

it('is not tried on the database itself, by whatever address', async () => {
  await use((deps) => seedEarlier(deps, (seeded) => seedStock(seeded, { files: [], retailers: 3 })))
  const before = await use(({ db }) => listMigrations(db))
  const other = new URL(config.postgresUrl ?? '')
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const refused = use((copy) => checkUpgradeOfCopy(copy, { ...config, postgresUrl: other.href }))
  await expect(refused).rejects.toThrow('is the database of the product, and no copy')
  other.port = '1'
  const unknown = use((copy) => checkUpgradeOfCopy(copy, { ...config, postgresUrl: other.href }))
  await expect(unknown).rejects.toThrow('cannot be reached')
  expect(await use(({ db }) => listMigrations(db))).toEqual(before)
})

it('is tried on a copy that is named, with the time that each migration takes', async () => {
  const own = { ...config, postgresUrl: await createPostgresDatabase() }
  await use((deps) => seedEarlier(deps, (seeded) => seedStock(seeded, { files: [], retailers: 3 })))
  const { waiting } = await use(({ db }) => listMigrations(db))
  const check = await use((copy) => checkUpgradeOfCopy(copy, own))
  expect(check.migrations.map(({ name }) => name)).toEqual(waiting)
  expect(check.before).toBeGreaterThan(1_000_000)
  expect(await use(({ db }) => listMigrations(db))).toMatchObject({ waiting: [] })
})
