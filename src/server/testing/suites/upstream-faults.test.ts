import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { DAY_MS, MINUTE_MS } from '../../../shared/durations'
import type { Connection } from '../../../shared/schemas/connection'
import { listConnections } from '../../features/catalogue/connections/connections'
import { listFiles } from '../../features/catalogue/versions/connection-files'
import {
  getLatestFile,
  openRetailerFile,
} from '../../features/distribution/downloads/retailer-files'
import type { UserRecord } from '../../features/people/accounts/users.queries'
import { createFileFetcher, type FileFetcher } from '../../files/fetch/fetch'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../fixtures/factories'
import { figure, rounds } from '../fixtures/figures'
import { startFaultServer, type FaultServer } from '../servers/fault-server'
import { openTestDeps, type TestDeps } from '../stages/test-deps'
import { ERRORS, RETRY_AFTER } from './upstream-errors'
import {
  GOOD_FILE,
  ODD_BUT_RIGHT,
  UPSTREAM_FAULTS,
  type Fault,
  type UpstreamFault,
} from './upstream-faults'

const ROUNDS = rounds(1, 3)
const PATIENCE = 30_000

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Counts the process's active resources, such as sockets and timers, by kind, and its open files.
 */
function countResources(): Record<string, number> {
  const held: Record<string, number> = { files: readdirSync('/proc/self/fd').length }
  for (const kind of process.getActiveResourcesInfo()) held[kind] = (held[kind] ?? 0) + 1
  return held
}

describe('a source that', () => {
  let source: FaultServer
  let deps: TestDeps
  let supplier: UserRecord
  let retailer: { id: number; user: UserRecord }
  let fetcher: FileFetcher
  let attempts = 0

  beforeEach(async () => {
    source = await startFaultServer()
  })
  afterEach(async () => {
    await deps.close()
    await source.close()
  })
  afterAll(() => {
    const faults = Object.keys(ERRORS).length
    const named = new Set(Object.values(ERRORS).map(String)).size
    const what = `${faults} faults, ${named} errors: failed syncs that left the last good file as it was`
    figure(
      'faulty sources',
      what,
      `${attempts}`,
      `${faults * ROUNDS}, no socket, timer or file left`,
    )
  })

  const createFetcher = (timeouts: Fault['timeouts'] = {}) =>
    createFileFetcher({ ...source.fetching, maxBytes: 4 * 1024 * 1024, now: Date.now, timeouts })

  async function become({ timeouts, ...state }: Fault): Promise<void> {
    source.become(state)
    await fetcher.close()
    fetcher = createFetcher(timeouts)
  }

  async function open({ isSecure = false }: Fault = {}): Promise<void> {
    fetcher = createFetcher()
    deps = await openTestDeps(
      { publicUrl: 'https://stock.example' },
      {
        fetcher: { fetch: (request) => fetcher.fetch(request), close: () => fetcher.close() },
      },
    )
    supplier = await createSupplierUser(deps)
    retailer = await createLinkedRetailer(deps, supplier)
    await createSupplierConnection(deps, supplier, isSecure ? source.secureUrl : source.url)
    source.become({ route: { body: GOOD_FILE } })
    await deps.work()
  }

  async function current(): Promise<Connection> {
    const [connection] = await listConnections(deps, supplier)
    if (!connection) throw new Error('There is no connection')
    return connection
  }

  async function waitForNextSync(): Promise<void> {
    const { nextSyncAt } = await current()
    deps.clock.advance(Date.parse(nextSyncAt ?? '') - deps.clock.now())
    await deps.work()
  }

  /** Reads the file that a retailer gets now. */
  async function readServedFile(): Promise<Buffer> {
    const latest = await getLatestFile(deps, retailer.user, retailer.id)
    if ('message' in latest) throw new Error(latest.message)
    const { id } = retailer
    const file = await openRetailerFile(deps, retailer.user, { id, fileName: latest.fileName })
    return buffer(await deps.files.read(file.sha256))
  }

  async function lastErrorCode() {
    const runs = deps.db.selectFrom('syncRuns').select('errorCode').orderBy('id', 'desc')
    return (await runs.executeTakeFirstOrThrow()).errorCode
  }

  async function expectFailure(name: UpstreamFault, round: number): Promise<void> {
    const [code, lastError] = ERRORS[name]
    const { lastAttemptAt, nextSyncAt, ...connection } = await current()
    const outcome = { status: 'failed', lastError, consecutiveFailures: round }
    expect(connection).toMatchObject(outcome)
    expect(await lastErrorCode()).toBe(code)
    expect(lastAttemptAt).toBe(new Date(deps.clock.now()).toISOString())
    const pause = Date.parse(nextSyncAt ?? '') - deps.clock.now()
    const doubled = 2 ** (round - 1) * MINUTE_MS
    expect(pause).toBeGreaterThanOrEqual(Math.max(doubled * 0.9, RETRY_AFTER[name] ?? MINUTE_MS))
    expect(pause).toBeLessThanOrEqual(Math.max(doubled * 1.1, RETRY_AFTER[name] ?? MINUTE_MS) + 1)
    expect(sha256(await readServedFile())).toBe(sha256(GOOD_FILE))
    expect((await listFiles(deps, supplier, connection.id)).files).toHaveLength(1)
  }

  async function expectNothingLeft(before: Record<string, number>): Promise<void> {
    const deadline = performance.now() + 5_000
    const findMore = () =>
      Object.entries(countResources()).filter(([kind, count]) => count > (before[kind] ?? 0))
    while (findMore().length > 0 && performance.now() < deadline) await nextTurn()
    expect(findMore()).toEqual([])
    expect(source.openSockets()).toBe(0)
    expect(readdirSync(join(deps.config.filesDir, 'drafts'))).toEqual([])
  }

  it.each(Object.keys(ERRORS) as UpstreamFault[])(
    'fails with “%s” keeps its last good file in every round, and recovers',
    async (name) => {
      const fault: Fault = UPSTREAM_FAULTS[name]
      await open(fault)
      const { lastSync } = await current()
      expect(await current()).toMatchObject({ status: 'synced', lastError: null })
      await vi.waitFor(() => expect(source.openSockets()).toBe(0))
      const before = countResources()
      await become(fault)
      for (let round = 1; round <= ROUNDS; round++) {
        await waitForNextSync()
        await expectFailure(name, round)
        await expectNothingLeft(before)
        attempts += 1
      }
      expect((await current()).lastSync).toBe(lastSync)
      await become({ route: { body: `${GOOD_FILE.toString()}A-200,Boot,Boots,1\r\n` } })
      await waitForNextSync()
      expect(await current()).toMatchObject({ status: 'synced', consecutiveFailures: 0 })
      expect((await current()).lastError).toBeNull()
    },
    PATIENCE,
  )

  it.each(Object.entries(ODD_BUT_RIGHT))(
    'is odd but valid, “%s”, is published',
    async (_name, { route, published }) => {
      await open()
      await removeGuards(deps)
      source.become({ route })
      await waitForNextSync()
      expect(await current()).toMatchObject({ status: 'synced', lastError: null })
      // The retailer's daily frequency moves it to the new version a day later.
      deps.clock.advance(DAY_MS)
      expect((await readServedFile()).toString()).toBe(published)
    },
  )
})
