import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { readDatabaseContent } from '../../server/db/database-content'
import { migrateToLatest } from '../../server/db/migrate'
import { openDeps } from '../../server/deps'
import { createLogger } from '../../server/observability/logger'
import { createAdmin, PASSWORD } from '../../server/testing/fixtures/factories'
import { figure, secondsSince, toSeconds } from '../../server/testing/fixtures/figures'
import { seedStock } from '../../server/testing/fixtures/stock'
import { findBrokenFiles, listStoredFiles } from '../../server/testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import type { Connection } from '../../shared/schemas/connection'
import type { FileListing } from '../../shared/schemas/file'
import { makeDataDir, removeDataDir, startProduct } from '../support/product'
import { createRestClient, until } from '../support/rest-client'

const RETAILERS = 10_000
const FEED = 'sku,qty\r\nnew,1\r\n'
const FILES = Array.from(
  { length: 50 },
  (_, index) => `sku,qty\r\n${`${index},5\r\n`.repeat(20_000)}`,
)
const run = promisify(execFile)

describe('the drill: back up, lose everything, restore', () => {
  let sourceServer: SourceServer
  let dataDir: string
  let backupsDir: string

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    sourceServer.set('/feed.csv', { body: FEED })
    dataDir = await makeDataDir()
    backupsDir = await makeDataDir()
  })
  afterAll(async () => {
    await sourceServer.close()
    await removeDataDir(dataDir)
    await removeDataDir(backupsDir)
  })

  const configOf = () => readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })

  /** Runs a command as `npm run` does, and returns its output lines. */
  async function npmRun(name: string, ...args: string[]): Promise<string[]> {
    const env = { ...process.env, DATA_DIR: dataDir }
    const { stdout } = await run(process.execPath, ['scripts/run.mjs', name, ...args], { env })
    return stdout.trim().split('\n')
  }

  /** Row counts by table and the stored files, after checking every file's content. */
  async function takeInventory() {
    const config = configOf()
    const { deps, close } = await openDeps(config, createLogger(config))
    expect(await findBrokenFiles(deps)).toEqual([])
    const files = await listStoredFiles(deps)
    await close()
    const { signal } = new AbortController()
    const { rowCounts } = await readDatabaseContent(config.databaseFile, signal)
    return { rowCounts, files: files.toSorted() }
  }

  async function seed() {
    const config = configOf()
    const { deps, close } = await openDeps(config, createLogger(config))
    await migrateToLatest(deps.db)
    const url = sourceServer.url('/feed.csv')
    await seedStock(deps, { files: FILES, retailers: RETAILERS, url })
    const { username } = await createAdmin(deps)
    await close()
    return username
  }

  it('restores every row and file, after which sign-ins and syncs work', async () => {
    const username = await seed()
    const started = performance.now()
    const [folder = ''] = (await npmRun('backup')).at(-1)!.split(' is made and checked')
    const madeIn = secondsSince(started)
    const before = await takeInventory()
    expect(before.rowCounts).toMatchObject({ retailers: RETAILERS, versions: FILES.length })
    const copy = join(backupsDir, 'copy')
    await cp(folder, copy, { recursive: true })
    // The key is in no backup; operators keep it elsewhere.
    const key = await readFile(configOf().encryptionKeyFile)

    await rm(dataDir, { recursive: true })
    await mkdir(dataDir)
    await writeFile(configOf().encryptionKeyFile, key)
    const restarted = performance.now()
    await npmRun('restore', copy)
    const restoredIn = secondsSince(restarted)
    expect(await takeInventory()).toEqual(before)

    const product = await startProduct(dataDir, { FETCH_ALLOW: sourceServer.host })
    const shop = createRestClient(product.url)
    await shop.signIn('shop-9999', PASSWORD)
    const admin = createRestClient(product.url)
    await admin.signIn(username, PASSWORD)
    const readConnections = async () => (await admin.send('GET', '/api/connections')).body
    await until<Connection[]>(readConnections, ([connection]) => connection?.lastSync !== null)
    const { body } = await admin.send('GET', '/api/connections/1/files')
    const [newest] = (body as FileListing).files
    const file = await admin.send('GET', `/api/connections/1/files/${newest?.fileName}`)
    expect(file.text).toBe(FEED)
    await product.stop()
    const measured = `made in ${toSeconds(madeIn)}, restored in ${toSeconds(restoredIn)}, all equal`
    figure('backups', 'drill of 10,000 retailers and 50 files', measured, 'all equal, ≤ 20 s')
  })
})
