import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Config } from './config'
import { inTransaction, openDatabase } from './db/open'
import { readDatabaseContent } from './db/snapshot'
import { openDeps } from './deps'
import { createLogger } from './logger'
import { restoreBackup } from './restore'
import type { BackupManifest } from './storage/backup-manifest'
import { openDiskFileStore } from './storage/file-store-disk'
import { writeRestoreState } from './storage/restore-state'
import {
  downloadNewest,
  makeDataFolder,
  repack,
  restore,
  type ArchiveEntry,
} from './testing/backups'
import { createAdmin } from './testing/factories'
import { openFileDeps, runBackup, seedStock } from './testing/stock'
import type { TestDeps } from './testing/test-deps'

const SIGNAL = new AbortController().signal
const FILES = ['sku,qty\r\n1,5\r\n', 'sku,qty\r\n2,7\r\n']

let deps: TestDeps
let manifest: BackupManifest
let folder: string
let archive: string
/** Where the tests restore to. */
let target: Awaited<ReturnType<typeof makeDataFolder>>
let config: Config

beforeEach(async () => {
  deps = await openFileDeps()
  await seedStock(deps, { files: FILES, retailers: 3 })
  await runBackup(deps)
  const [backup] = await deps.backups.list()
  manifest = backup!.manifest
  folder = join(deps.config.backupsDir, backup!.name)
  archive = join(deps.config.dataDir, `${backup!.name}.tar`)
  await downloadNewest(deps, archive)
  target = await makeDataFolder()
  config = target.config
})
afterEach(async () => {
  await deps.close()
  await target.remove()
})

async function expectRestored(restored = config) {
  const content = await readDatabaseContent(restored.databaseFile, SIGNAL)
  expect(content.rowCounts).toEqual(manifest.database.rowCounts)
  const files = await openDiskFileStore(restored.filesDir)
  const stored: string[] = []
  for await (const { sha256 } of files.list()) stored.push(sha256)
  expect(stored.toSorted()).toEqual(manifest.files.map(({ sha256 }) => sha256).toSorted())
}

/** What is in the data folder, but for what SQLite keeps while a database is open. */
const listTarget = async () => (await readdir(config.dataDir).catch(() => [])).toSorted()

/** A product that has run here before, with an administrator in its database. */
async function makeEarlierProduct() {
  const earlier = await openDeps(config, createLogger({ logLevel: 'silent' }))
  const { migrateToLatest } = await import('./db/migrate')
  await migrateToLatest(earlier.deps.db)
  const { username } = await createAdmin(earlier.deps)
  await earlier.close()
  return username
}

async function listUsernames(databaseFile: string) {
  const db = openDatabase(databaseFile)
  const users = await db.selectFrom('users').select('username').orderBy('id').execute()
  await db.destroy()
  return users.map(({ username }) => username)
}

describe('a restore', () => {
  it.each([
    ['an archive', () => archive],
    ['the folder of a backup', () => folder],
    ['the manifest of a backup', () => join(folder, 'manifest.json')],
  ])('puts %s into an empty folder', async (_what, file) => {
    const lines = await restore(config, file())
    expect(lines.at(-1)).toMatch(/^stockbridge-2026-01-15T08-30-00-000Z is restored\./)
    expect(await listTarget()).toEqual(['app.db', 'files'])
    await expectRestored()
  })

  it('lets its owner alone read what it restored', async () => {
    await restore(config, archive)
    const mode = async (path: string) => (await stat(join(config.dataDir, path))).mode & 0o777
    expect([await mode('.'), await mode('app.db'), await mode('files')]).toEqual([
      0o700, 0o600, 0o700,
    ])
  })

  it('ends the sessions, leases and runs that the backup was made in the middle of', async () => {
    const now = deps.clock.now()
    await inTransaction(deps.db, async (trx) => {
      await trx
        .insertInto('sessions')
        .values({ idHash: 'x', dataJson: '{}', createdAt: now, touchedAt: now, expiresAt: 2 * now })
        .execute()
      await trx
        .updateTable('connections')
        .set({ leaseToken: 'sync', leaseUntil: 2 * now, isRunning: 1 })
        .execute()
      await trx
        .insertInto('syncRuns')
        .values({ connectionId: 1, leaseToken: 'sync', startedAt: now })
        .execute()
    })
    deps.clock.advance(1_000)
    await runBackup(deps)
    await downloadNewest(deps, archive)
    await restore(config, archive)
    const db = openDatabase(config.databaseFile)
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('connections').selectAll().execute()).toMatchObject([
      { leaseToken: null, leaseUntil: null, isRunning: 0 },
    ])
    expect(await db.selectFrom('syncRuns').selectAll().execute()).toMatchObject([
      { outcome: 'cancelled' },
    ])
    await db.destroy()
  })

  it('brings the database of an older version to the newest schema', async () => {
    await inTransaction(deps.db, async (trx) => {
      await trx.schema.dropTable('cronJobRuns').execute()
      await trx.schema.dropTable('cronJobs').execute()
      await trx.schema.alterTable('syncRuns').dropColumn('expectedBytes').execute()
      const { sql } = await import('kysely')
      await sql`delete from kysely_migration where name >= '0002'`.execute(trx)
    })
    deps.clock.advance(1_000)
    await runBackup(deps)
    await downloadNewest(deps, archive)
    await restore(config, archive)
    const { migrations, rowCounts } = await readDatabaseContent(config.databaseFile, SIGNAL)
    expect(migrations).toEqual(manifest.migrations)
    expect(rowCounts).toMatchObject({ cronJobs: 0 })
  })

  it('restores a database that is kept outside the data folder', async () => {
    const databaseFile = join(config.dataDir, '../elsewhere/stock.db')
    const outside = { ...config, databaseFile }
    await restore(outside, archive)
    expect(await listTarget()).toEqual(['files'])
    expect(await readdir(join(databaseFile, '..'))).toEqual(['stock.db'])
    await expectRestored(outside)
  })

  it('does not take a log that was left behind for the restored database’s', async () => {
    await mkdir(config.dataDir, { recursive: true })
    await writeFile(`${config.databaseFile}-wal`, 'left behind')
    await writeFile(`${config.databaseFile}-shm`, 'left behind')
    await restore(config, archive)
    await expectRestored()
  })
})

describe('where there is something already, a restore', () => {
  it('does nothing', async () => {
    const username = await makeEarlierProduct()
    const before = await listTarget()
    await expect(restore(config, archive)).rejects.toThrow('With --replace')
    expect(await listTarget()).toEqual(before)
    expect(await listUsernames(config.databaseFile)).toEqual([username])
  })

  it('puts it aside when told to, and loses nothing of it', async () => {
    const username = await makeEarlierProduct()
    await writeFile(join(config.dataDir, 'secret'), 'stays')
    const lines = await restore(config, archive, true)
    await expectRestored()
    const aside = /^What was there before is in (.*)$/.exec(lines.at(-1) ?? '')?.[1] ?? ''
    expect(await readdir(aside)).toEqual(['app.db', 'files'])
    expect(await listUsernames(join(aside, 'app.db'))).toEqual([username])
    expect(await readFile(join(config.dataDir, 'secret'), 'utf8')).toBe('stays')
  })

  it('puts even a damaged database aside', async () => {
    await mkdir(config.dataDir, { recursive: true })
    await writeFile(config.databaseFile, 'no database'.repeat(1_000))
    await restore(config, archive, true)
    await expectRestored()
  })

  it('does nothing while the product runs', async () => {
    await makeEarlierProduct()
    const running = await openDeps(config, createLogger({ logLevel: 'silent' }))
    await expect(restore(config, archive, true)).rejects.toThrow('is in use. Stop the product')
    await running.close()
    await restore(config, archive, true)
    await expectRestored()
  })

  it('does nothing while another restore is under way', async () => {
    const options = { replace: false, now: 0 }
    const report = async () => {
      await expect(restore(config, archive)).rejects.toThrow('Another restore is under way')
    }
    let second: Promise<void> | undefined
    await restoreBackup(config, archive, { ...options, report: () => void (second ??= report()) })
    await second
    await expectRestored()
  })
})

describe('an unfinished restore', () => {
  it('keeps the product from starting, until it is run again', async () => {
    await mkdir(config.dataDir, { recursive: true })
    await writeRestoreState(config.dataDir, { step: 'staging' })
    const start = () => openDeps(config, createLogger({ logLevel: 'silent' }))
    await expect(start()).rejects.toThrow(/is not finished\. Run npm run restore -- FILE again, or/)
    await writeRestoreState(config.dataDir, { step: 'moving', backup: 'stockbridge', moves: [] })
    await expect(start()).rejects.toThrow('Run npm run restore -- FILE again to complete it.')
    await expect(restore(config, archive)).rejects.toThrow('is another backup: it was not restored')
    await restore(config, archive)
    await (await start()).close()
    await expectRestored()
  })
})

describe('a backup that is not as it was made', () => {
  const changed = () => `${archive}.changed`

  /** Puts other content into a part; its size stays. */
  const overwrite = (name: RegExp, at: number, text: string) => (parts: ArchiveEntry[]) => {
    Buffer.from(text).copy(parts.find((part) => name.test(part.name))!.content, at)
    return parts
  }
  const rewriteManifest =
    (edit: (manifest: BackupManifest) => unknown) => (parts: ArchiveEntry[]) => {
      const [first, ...rest] = parts
      const text = JSON.stringify(edit(JSON.parse(first!.content.toString()) as BackupManifest))
      return [{ name: 'manifest.json', content: Buffer.from(text) }, ...rest]
    }
  const rename = (name: string) => (parts: ArchiveEntry[]) =>
    parts.map((part, index) => (index === 2 ? { ...part, name } : part))

  const expectRefused = async (file: string, message: RegExp) => {
    await expect(restore(config, file)).rejects.toThrow(message)
    expect(await listTarget()).toEqual([])
  }

  it.each([
    ['a byte of the database', overwrite(/app\.db/, 20_000, 'X'), /the database is not what was/],
    ['a byte of a file', overwrite(/csv/, 9, '9'), /the inventory file \w+ is not what it was/],
    ['a row count', rewriteManifest(withRows), /retailers has 3 rows instead of 4/],
    ['a hash', rewriteManifest(withHash), /app\.db is missing|the database is not what was/],
    [
      'a file too many',
      (parts: ArchiveEntry[]) => [...parts, file('files/x.csv')],
      /bytes instead of/,
    ],
    ['a file too few', (parts: ArchiveEntry[]) => parts.slice(0, -1), /bytes instead of/],
    [
      'two files for one',
      (parts: ArchiveEntry[]) => [...parts.slice(0, 3), parts[2]!],
      /is missing/,
    ],
    ['a path upwards', rename('../../../stock.csv'), /is missing or has another size/],
    ['a path from the root', rename('/tmp/stock.csv'), /is missing or has another size/],
    ['no manifest', (parts: ArchiveEntry[]) => parts.slice(1), /it has no manifest/],
    ['a manifest of its own', () => [file('manifest.json', '{}')], /it has no manifest/],
    ['a manifest that names one file less', rewriteManifest(withoutFile), /bytes instead of/],
    ['a newer format', rewriteManifest(withFormat), /a newer version of the product made it/],
    [
      'a newer schema',
      rewriteManifest(withSchema),
      /version 0\.1\.0 made it, whose database has 9999-later/,
    ],
  ])('is refused: %s', async (_what, edit, message) => {
    await repack(archive, changed(), edit)
    await expectRefused(changed(), message)
  })

  it.each([0, 1, 300, 512, 1_536, 100_000])('is refused when it is cut off at %i', async (size) => {
    await truncate(archive, size)
    await expectRefused(archive, /^This backup cannot be used/)
  })

  it('is refused when only its end is missing', async () => {
    const { size } = await stat(archive)
    await truncate(archive, size - 512)
    await expectRefused(archive, new RegExp(`it has ${size - 512} bytes instead of ${size}`))
  })

  it.each([
    ['nothing that is there', () => 'nowhere.tar', /There is no nowhere\.tar/],
    ['a folder that is no backup', () => deps.config.dataDir, /it has no manifest/],
    ['a file that is no archive', () => deps.config.databaseFile, /it is no archive/],
  ])('is refused: %s', async (_what, path, message) => {
    await expectRefused(path(), message)
  })

  it('is refused when its folder lacks a file', async () => {
    const { unlink } = await import('node:fs/promises')
    await unlink(join(folder, 'files', `${manifest.files[0]!.sha256}.csv`))
    await expectRefused(folder, /csv is missing/)
  })

  it('is refused when its folder has another file', async () => {
    await appendFile(join(folder, 'files', `${manifest.files[0]!.sha256}.csv`), '9,9\r\n')
    await expectRefused(folder, /csv is missing or has another size/)
  })
})

const file = (name: string, text = 'sku\r\n') => ({ name, content: Buffer.from(text) })
const withRows = (of: BackupManifest) => {
  of.database.rowCounts.retailers = 4
  return of
}
const withHash = (of: BackupManifest) => ({
  ...of,
  database: { ...of.database, sha256: '0'.repeat(64) },
})
const withoutFile = (of: BackupManifest) => ({ ...of, files: of.files.slice(1) })
const withFormat = (of: BackupManifest) => ({ ...of, formatVersion: 2 })
const withSchema = (of: BackupManifest) => ({ ...of, migrations: [...of.migrations, '9999-later'] })
