import {
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'

import { Migrator } from 'kysely/migration'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { inviteRetailerInput } from '../../shared/schemas/invitation'
import type { Config } from '../config'
import { readDatabaseContent } from '../db/database-content'
import { migrateToLatest } from '../db/migrate'
import { initialMigration } from '../db/migrations/0001-initial'
import { inTransaction, openDatabase } from '../db/open'
import { openDeps } from '../deps'
import type { Deps } from '../domain/deps'
import { findUser } from '../features/people/accounts/users.queries'
import { inviteRetailer } from '../features/people/invitations/invitations'
import { createLogger } from '../observability/logger'
import { openDiskFileStore } from '../storage/file-store-disk'
import {
  makeSampleBackup,
  makeTarget,
  restore,
  type SampleBackup,
} from '../testing/fixtures/backups'
import { createAdmin } from '../testing/fixtures/factories'
import { putPasswordLink } from '../testing/fixtures/recovery-samples'
import { openFileDeps, runBackup } from '../testing/fixtures/stock'
import { restoreBackup } from './restore'
import { writeRestoreState } from './restore-state'

const SIGNAL = new AbortController().signal

let backup: SampleBackup
let target: Awaited<ReturnType<typeof makeTarget>>
let config: Config

beforeAll(async () => {
  backup = await makeSampleBackup()
})
afterAll(() => backup.remove())
beforeEach(async () => {
  target = await makeTarget()
  config = target.config
})
afterEach(() => target.remove())

/** The row counts and files of an installation. */
async function readStock({ databaseFile, filesDir } = config) {
  const { rowCounts } = await readDatabaseContent(databaseFile, SIGNAL)
  const store = await openDiskFileStore(filesDir)
  const files: string[] = []
  for await (const { sha256 } of store.list()) files.push(sha256)
  return { rowCounts, files: files.toSorted() }
}

const backedUpStock = () => ({
  rowCounts: backup.manifest.database.rowCounts,
  files: backup.manifest.files.map(({ sha256 }) => sha256),
})

const listTarget = async () => (await readdir(config.dataDir)).toSorted()
const start = () => openDeps(config, createLogger({ logLevel: 'silent' }))

/** Creates an existing installation with an administrator in the target. */
async function makeEarlierProduct() {
  const { deps, close } = await start()
  await migrateToLatest(deps.db)
  const { username } = await createAdmin(deps)
  await close()
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
    ['an archive', () => backup.archive],
    ['the folder of a backup', () => backup.folder],
    ['the manifest of a backup', () => join(backup.folder, 'manifest.json')],
  ])('restores %s into an empty folder', async (_what, file) => {
    const lines = await restore(config, file())
    expect(lines.at(-1)).toBe(`${backup.name} is restored. Everybody has to sign in again.`)
    expect(await listTarget()).toEqual(['app.db', 'files'])
    expect(await readStock()).toEqual(backedUpStock())
  })

  it('ignores files of a backup folder that are not in its manifest', async () => {
    const folder = join(config.dataDir, '../folder')
    await cp(backup.folder, folder, { recursive: true })
    await writeFile(join(folder, 'app.db-wal'), 'a log')
    await writeFile(join(folder, 'files', `${'0'.repeat(64)}.csv`), 'sku\r\n')
    await restore(config, folder)
    expect(await listTarget()).toEqual(['app.db', 'files'])
    expect(await readStock()).toEqual(backedUpStock())
  })

  it('makes the restored data accessible to its owner only', async () => {
    await restore(config, backup.archive)
    const mode = async (path: string) => (await stat(join(config.dataDir, path))).mode & 0o777
    expect([await mode('.'), await mode('app.db'), await mode('files')]).toEqual([
      0o700, 0o600, 0o700,
    ])
  })

  it('restores the database to a configured path outside the data folder', async () => {
    const databaseFile = join(config.dataDir, '../elsewhere/stock.db')
    const outside = { ...config, databaseFile }
    await restore(outside, backup.archive)
    expect(await listTarget()).toEqual(['files'])
    expect(await readdir(join(databaseFile, '..'))).toEqual(['stock.db'])
    expect(await readStock(outside)).toEqual(backedUpStock())
  })

  it('does not apply a leftover write-ahead log to the restored database', async () => {
    const log = `${config.databaseFile}-wal`
    const { deps, close } = await start()
    await migrateToLatest(deps.db)
    await createAdmin(deps)
    // As left by a killed process: with changes that are not in the database file yet.
    await copyFile(log, `${log}.kept`)
    await close()
    await rename(`${log}.kept`, log)
    await rm(config.databaseFile)
    await restore(config, backup.archive)
    expect(await readStock()).toEqual(backedUpStock())
  })
})

describe('a restored database', () => {
  /** Restores a backup of a product that `prepare` has changed, and opens its database. */
  async function restoreChanged(prepare: (deps: Deps) => Promise<void>) {
    const changed = await makeSampleBackup(prepare)
    await restore(config, changed.archive)
    await changed.remove()
    return openDatabase(config.databaseFile)
  }

  it('has no sessions or leases, and its open sync runs are cancelled', async () => {
    const db = await restoreChanged(({ db: source, clock }) =>
      inTransaction(source, async (trx) => {
        const [at, until] = [clock.now(), clock.now() * 2]
        const instants = { createdAt: at, touchedAt: at, expiresAt: until }
        const lease = { leaseToken: 'sync', leaseUntil: until, isRunning: true } as const
        const run = { leaseToken: 'sync', startedAt: at, connectionId: 1 }
        await trx
          .insertInto('sessions')
          .values({ idHash: 'x', data: {}, ...instants })
          .execute()
        await trx.updateTable('connections').set(lease).execute()
        await trx.insertInto('syncRuns').values(run).execute()
      }),
    )
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('connections').selectAll().execute()).toMatchObject([
      { leaseToken: null, leaseUntil: null, isRunning: false },
    ])
    expect(await db.selectFrom('syncRuns').selectAll().execute()).toMatchObject([
      { outcome: 'cancelled', error: 'It was running when the backup was made' },
    ])
    await db.destroy()
  })

  it('has no link for a password or an address that works: it may have been used since', async () => {
    const db = await restoreChanged(async (deps) => {
      const { id } = await deps.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      await putPasswordLink(deps, id)
      const pending = { pendingAddress: 'new@example.com', tokenHash: 'a', tokenExpiresAt: 9e15 }
      const address = { userId: id, address: 'me@example.com', ...pending }
      await deps.db.insertInto('mailAddresses').values(address).execute()
    })
    expect(await db.selectFrom('accountMails').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('mailAddresses').selectAll().execute()).toMatchObject([
      { address: 'me@example.com', pendingAddress: null, tokenHash: null },
    ])
    await db.destroy()
  })

  it('has no invitation that works: it may have been used or withdrawn since', async () => {
    const db = await restoreChanged(async (deps) => {
      const { id } = await deps.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      const supplier = await findUser(deps.db, id)
      await inviteRetailer(
        deps,
        supplier!,
        inviteRetailerInput.parse({ storeName: 'Corner Shop', supplierId: supplier!.id }),
      )
    })
    const rows = await db.selectFrom('invitations').selectAll().execute()
    expect(rows).toMatchObject([{ tokenHash: null, withdrawnAt: null, acceptedAt: null }])
    expect(rows[0]?.expiresAt).toBeLessThanOrEqual(Date.now())
    await db.destroy()
  })

  it('has the newest schema, even from a backup of the first version', async () => {
    const deps = await openFileDeps()
    const databaseFile = `${deps.config.databaseFile}.first`
    const first = openDatabase(databaseFile)
    const provider = { getMigrations: async () => ({ '0001-initial': initialMigration }) }
    await new Migrator({ db: first, provider }).migrateToLatest()
    await first.destroy()
    await runBackup({ ...deps, config: { ...deps.config, databaseFile } })
    const [{ name } = { name: '' }] = await deps.backups.list()
    await restore(config, join(deps.config.backupsDir, name))
    await deps.close()
    const db = openDatabase(config.databaseFile)
    expect(await db.selectFrom('cronJobs').selectAll().execute()).toEqual([])
    expect(await migrateToLatest(db)).toEqual([])
    await db.destroy()
  })
})

describe('with existing data, a restore', () => {
  it('is refused without --replace', async () => {
    const username = await makeEarlierProduct()
    const before = await listTarget()
    await expect(restore(config, backup.archive)).rejects.toThrow('With --replace')
    expect(await listTarget()).toEqual(before)
    expect(await listUsernames(config.databaseFile)).toEqual([username])
  })

  it('moves the existing data aside with --replace', async () => {
    const username = await makeEarlierProduct()
    await writeFile(join(config.dataDir, 'secret'), 'stays')
    const lines = await restore(config, backup.archive, { replace: true })
    expect(await readStock()).toEqual(backedUpStock())
    const aside = /^The previous data is in (.*)$/.exec(lines.at(-1) ?? '')?.[1] ?? ''
    expect((await readdir(aside)).toSorted()).toEqual(['app.db', 'files'])
    expect(await listUsernames(join(aside, 'app.db'))).toEqual([username])
    expect(await readFile(join(config.dataDir, 'secret'), 'utf8')).toBe('stays')
  })

  it('moves even a damaged database aside', async () => {
    await mkdir(config.dataDir, { recursive: true })
    await writeFile(config.databaseFile, 'no database'.repeat(1_000))
    await restore(config, backup.archive, { replace: true })
    expect(await readStock()).toEqual(backedUpStock())
  })

  it('is refused while the product is running', async () => {
    await makeEarlierProduct()
    const { deps, close } = await start()
    await deps.db.selectFrom('users').selectAll().execute()
    await expect(restore(config, backup.archive, { replace: true })).rejects.toThrow(
      `${config.databaseFile} is in use. Stop the product and its workers first.`,
    )
    await close()
    await restore(config, backup.archive, { replace: true })
    expect(await readStock()).toEqual(backedUpStock())
  })

  it('is refused while another restore is running', async () => {
    let second: Promise<unknown> | undefined
    const report = () => {
      second ??= restore(config, backup.archive).catch((error: unknown) => error)
    }
    await restoreBackup(config, backup.archive, { replace: false, trust: false, now: 0, report })
    expect(await second).toMatchObject({ message: 'Another restore is running' })
    expect(await readStock()).toEqual(backedUpStock())
  })
})

describe('an unfinished restore', () => {
  beforeEach(async () => {
    await mkdir(config.dataDir, { recursive: true })
  })

  it('keeps the product from starting until it is run again', async () => {
    await writeRestoreState(config.dataDir, { step: 'staging' })
    await expect(start()).rejects.toThrow(
      `A restore into ${config.dataDir} is not finished. Run npm run restore -- FILE again, or ` +
        `delete ${join(config.dataDir, 'restore.json')} to keep what was there.`,
    )
    await restore(config, backup.archive)
    const { close } = await start()
    await close()
    expect(await readStock()).toEqual(backedUpStock())
  })

  it('is completed before another backup can be restored', async () => {
    await writeRestoreState(config.dataDir, { step: 'moving', backup: 'another', moves: [] })
    await expect(start()).rejects.toThrow('Run npm run restore -- FILE again to complete it.')
    await expect(restore(config, backup.archive)).rejects.toThrow(
      `${backup.archive} is a different backup and was not restored`,
    )
    await restore(config, backup.archive)
    expect(await readStock()).toEqual(backedUpStock())
  })
})
