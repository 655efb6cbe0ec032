import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { allJobs } from '../../server/all-jobs'
import { readConfig } from '../../server/config'
import { listNamedFiles } from '../../server/db/database-content'
import { openDeps } from '../../server/deps'
import type { Deps } from '../../server/domain/deps'
import { LEASE_MS } from '../../server/domain/lease'
import {
  listFiles,
  openConnectionFile,
} from '../../server/features/catalogue/versions/connection-files'
import { readItemHistory } from '../../server/features/distribution/item-history/item-history'
import { cleanStorage } from '../../server/features/distribution/stored-files/storage-cleaning'
import { claimDueWork } from '../../server/features/operations/scheduling/claim-due-work'
import type { UserRecord } from '../../server/features/people/accounts/users.queries'
import { createLogger } from '../../server/observability/logger'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../server/testing/fixtures/factories'
import { figure, rounds } from '../../server/testing/fixtures/figures'
import { findBrokenFiles, listStoredFiles } from '../../server/testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../server/testing/servers/source-server'
import { openInlineReader } from '../../server/testing/stages/reader-inline'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { HOUR_MS, MINUTE_MS } from '../../shared/durations'
import { makeDataDir, removeDataDir } from '../support/product'
import { killBeforeStep, killBeforeEachStep } from './killed-programs'

const PREVIOUS = 'sku,name,category,qty\r\n1,Boot,Shoes,5\r\n2,Cap,Hats,7\r\n'
const ROWS = Array.from({ length: 400 }, (_, index) => [
  index,
  `Boot, ${'brown'.repeat(60)}`,
  index % 2 === 0 ? 'Shoes' : 'Hats',
  5,
])
/** Not canonical, so that it is stored twice: as received and as published. */
const SOURCE = `sku;name;category;qty\n${ROWS.map((row) => row.join(';')).join('\n')}\n`
const NEXT = `sku,name,category,qty\r\n${ROWS.map(([sku, name, ...rest]) => `${sku},"${name}",${rest.join(',')}\r\n`).join('')}`

/** Steps that the killed syncs must include: a crash between them could leave partial state. */
const NAMED_STEPS = [
  'begin',
  'update connections',
  'insert syncRuns',
  'create file',
  'write',
  'fsync file',
  'make folder',
  'link file',
  'fsync folder',
  'insert versions',
  'update syncRuns',
  'insert variants',
  'update variants',
  'delete versions',
  'remove file',
  'commit',
  'fsync folder of log',
  'flush log',
]

describe('a sync killed before any of its steps', () => {
  let sourceServer: SourceServer
  let template: string
  let supplier: UserRecord
  let connectionId: number

  beforeAll(async () => {
    sourceServer = await startSourceServer()
    template = await makeDataDir()
    const config = configOf(template)
    const deps = await openTestDeps(config)
    supplier = await createSupplierUser(deps)
    await createLinkedRetailer(deps, supplier, { allProducts: false, categories: ['Shoes'] })
    const source = sourceServer.url('/feed.csv')
    connectionId = (await createSupplierConnection(deps, supplier, source)).id
    for (const body of ['sku,category\r\n1,Shoes\r\n', PREVIOUS]) {
      sourceServer.set('/feed.csv', { body })
      deps.clock.advance(HOUR_MS)
      await deps.work()
    }
    await deps.close()
    sourceServer.set('/feed.csv', { body: SOURCE })
  })
  afterAll(async () => {
    await sourceServer.close()
    await removeDataDir(template)
  })

  const configOf = (dataDir: string) =>
    readConfig({
      DATA_DIR: dataDir,
      FETCH_ALLOW: sourceServer.host,
      MIN_FREE_BYTES: '0',
      LOG_LEVEL: 'warn',
    })

  async function copyTemplate() {
    const dataDir = await makeDataDir()
    await cp(template, dataDir, { recursive: true })
    return dataDir
  }

  const syncUntil = (dataDir: string, last?: string) =>
    killBeforeStep({ name: 'failing-sync', args: [sourceServer.host] }, dataDir, last)

  /** Contents of the published files, newest first. */
  async function readServed(deps: Deps): Promise<string[]> {
    const { files } = await listFiles(deps, supplier, connectionId)
    return Promise.all(
      files.map(async ({ fileName }) => {
        const file = await openConnectionFile(deps, supplier, { id: connectionId, fileName })
        return text(await deps.files.read(file.sha256))
      }),
    )
  }

  /** Opens the data as the next process, at a time when the killed one's leases have expired. */
  async function restart(dataDir: string) {
    const config = configOf(dataDir)
    const opened = await openDeps(config, createLogger(config))
    await opened.deps.readers.close()
    opened.deps.readers = openInlineReader(config, Date.now)
    const clock = { now: () => Date.now() + LEASE_MS + 1_000 }
    return { deps: { ...opened.deps, clock }, close: opened.close }
  }

  async function expectRecovery(deps: Deps, dataDir: string) {
    deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
    await claimDueWork(deps)
    await deps.queue.idle()
    await cleanStorage(deps, new AbortController().signal)
    const served = await readServed(deps)
    expect(served.filter((content) => content === NEXT)).toEqual([served[0]])
    const history = await readItemHistory(deps, supplier, { id: connectionId, key: '2' })
    expect(history.points.map(({ quantity }) => quantity)).toEqual([null, 7, 5])
    expect(await findBrokenFiles(deps)).toEqual([])
    expect(await readdir(join(dataDir, 'files/drafts'))).toEqual([])
    const named = (await listNamedFiles(deps.db)).map(({ sha256 }) => sha256)
    expect(new Set(await listStoredFiles(deps))).toEqual(new Set(named))
    const open = deps.db.selectFrom('syncRuns').selectAll().where('finishedAt', 'is', null)
    expect(await open.execute()).toEqual([])
  }

  /** Returns the step before which the sync was killed; undefined if it had already ended. */
  async function killAndRecover(last: string) {
    const dataDir = await copyTemplate()
    const { isKilled } = await syncUntil(dataDir, last)
    // While a write is being halved, other steps may begin.
    const step = last.replace(/^\d+ /, '')
    const { deps, close } = await restart(dataDir)
    expect(await findBrokenFiles(deps), step).toEqual([])
    expect([PREVIOUS, NEXT], step).toContain((await readServed(deps))[0])
    await expectRecovery(deps, dataDir)
    await close()
    await removeDataDir(dataDir)
    return isKilled ? step : undefined
  }

  async function listSteps() {
    const dataDir = await copyTemplate()
    const { steps } = await syncUntil(dataDir)
    await removeDataDir(dataDir)
    return steps
  }

  it('syncs its files to disk before publishing them', async () => {
    const storing = (await listSteps()).filter((step) =>
      /^fsync (?:file|folder)$|^link|insert versions/.test(step),
    )
    const stored = ['fsync file', 'link file', 'fsync folder']
    // A folder that is new is named in the one above, which is synced too: but hashes may begin alike.
    const once = storing.filter((step, at) => step !== 'fsync folder' || step !== storing[at - 1])
    const published = once.indexOf('insert versions')
    // The file, its key file and the list of items that are gone or in another category.
    expect(once.slice(0, published)).toEqual(Array.from({ length: 3 }, () => stored).flat())
    // Then that of a retailer and the history, which are stored at the same time.
    const after = once.slice(published + 1)
    expect(after.filter((step) => step !== 'fsync folder').toSorted()).toEqual([
      'fsync file',
      'fsync file',
      'link file',
      'link file',
    ])
    expect(after.slice(0, 1)).toEqual(['fsync file'])
    expect(after.slice(-1)).toEqual(['fsync folder'])
    expect(storing.slice(0, 4)).toEqual([...stored, 'fsync folder'])
  })

  it(
    'never shows a partial file, and is completed after a restart',
    async () => {
      const steps = await listSteps()
      const seen: string[] = []
      const killAt = async (last: string) => {
        const step = await killAndRecover(last)
        if (step) seen.push(step)
      }
      await killBeforeEachStep(steps, killAt)
      for (let round = 1; round < rounds(1, 25); round++)
        await killBeforeEachStep(steps, killAt, false)
      expect(seen).toEqual(expect.arrayContaining(NAMED_STEPS))
      const measured = `0 partial files, ${seen.length} kills before ${new Set(seen).size} kinds of steps`
      figure('crashes', 'a sync killed before one of its steps', measured, '0, of 12 kinds or more')
    },
    rounds(10 * MINUTE_MS, HOUR_MS),
  )
})
