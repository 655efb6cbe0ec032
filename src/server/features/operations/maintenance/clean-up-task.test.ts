import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DAY_MS, HOUR_MS } from '../../../../shared/durations'
import { inTransaction } from '../../../db/open'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
} from '../../../testing/fixtures/factories'
import { storeContent, writeContent } from '../../../testing/fixtures/stored-files'
import { startSourceServer, type SourceServer } from '../../../testing/servers/source-server'
import { cleanUp } from '../../../testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import {
  findConnection,
  updateConnectionRow,
} from '../../catalogue/connections/connections.queries'
import { saveNewestDownloads } from '../../distribution/downloads/recent-downloads.queries'
import { getLatestFile, openRetailerFile } from '../../distribution/downloads/retailer-files'
import { listPulls, savePulls } from '../../distribution/downloads/retailer-pulls.queries'
import { findRetailer, updateRetailerRow } from '../../distribution/retailers/retailers.queries'
import type { UserRecord } from '../../people/accounts/users.queries'
import { cleanUpTask } from './clean-up-task'

const NOTHING = 'Nothing to remove'

let sourceServer: SourceServer
let deps: TestDeps

beforeEach(async () => {
  sourceServer = await startSourceServer()
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

const ids = async (table: 'syncRuns' | 'cronJobRuns' | 'versions' | 'variants') =>
  (await deps.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)

describe('cleaning up', () => {
  it('reports when there was nothing to remove', async () => {
    expect(await cleanUp(deps)).toBe(NOTHING)
  })

  it('removes expired sessions, and no others', async () => {
    const now = deps.clock.now()
    const session = { userId: null, data: {}, createdAt: now, touchedAt: now }
    await deps.db
      .insertInto('sessions')
      .values([
        { ...session, idHash: 'over', expiresAt: now },
        { ...session, idHash: 'alive', expiresAt: now + 1 },
      ])
      .execute()
    expect(await cleanUp(deps)).toBe('Removed 1 expired session')
    expect(await deps.db.selectFrom('sessions').select('idHash').execute()).toEqual([
      { idHash: 'alive' },
    ])
  })

  it('removes sync runs after a month', async () => {
    const supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    const run = { connectionId: id, leaseToken: 'x', startedAt: 0 }
    const monthAgo = deps.clock.now() - 30 * DAY_MS
    await deps.db
      .insertInto('syncRuns')
      .values([
        { ...run, id: 1, finishedAt: monthAgo - 1 },
        { ...run, id: 2, finishedAt: monthAgo },
        { ...run, id: 3, finishedAt: null },
      ])
      .execute()
    expect(await cleanUp(deps)).toBe('Removed 1 sync run')
    expect(await ids('syncRuns')).toEqual([2, 3])
  })

  it('removes more than fit into one transaction', async () => {
    const supplier = await createSupplierUser(deps)
    const { id } = await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    const old = deps.clock.now() - 31 * DAY_MS
    await sql`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 5001)
      insert into "syncRuns" ("connectionId", "leaseToken", "startedAt", "finishedAt")
      select ${sql.lit(id)}, 'x', 0, ${sql.lit(old)} from counted`.execute(deps.db)
    expect(await cleanUp(deps)).toBe('Removed 5,001 sync runs')
    expect(await ids('syncRuns')).toEqual([])
  })

  it('removes the downloads of a retailer after three months, but never its last read', async () => {
    const { id: retailerId } = await createLinkedRetailer(deps, await createSupplierUser(deps))
    const lastDay = Math.floor(deps.clock.now() / DAY_MS)
    const last = { retailerId, lastDay, lastPulledAt: 1, versionId: 1, client: 'curl' }
    await inTransaction(deps.db, async (trx) => {
      await savePulls(trx, [{ ...last, dayCounts: [1] }])
      await saveNewestDownloads(trx, [{ retailerId, lastDay, newestDownloads: [] }])
    })
    deps.clock.advance(90 * DAY_MS)
    expect(await cleanUp(deps)).toBe('Nothing to remove')
    deps.clock.advance(DAY_MS)
    expect(await cleanUp(deps)).toBe('Removed 1 download list')
    expect([...(await listPulls(deps.db, [retailerId])).keys()]).toEqual([retailerId])
  })

  it('removes runs of a cron job after a month, but never its last fifty', async () => {
    const jobs = ['seldom', 'often']
    await deps.db
      .insertInto('cronJobs')
      .values(jobs.map((name) => ({ name, schedule: '* * * * *' })))
      .execute()
    const runOf = (jobName: string, id: number, age: number) => {
      const finishedAt = deps.clock.now() - age
      return { jobName, id, finishedAt, isRequested: false, startedAt: 0 }
    }
    const runs = Array.from({ length: 52 }, (_, index) => [
      runOf('seldom', 101 + index, 31 * DAY_MS),
      runOf('often', 201 + index, 29 * DAY_MS),
    ])
    await deps.db.insertInto('cronJobRuns').values(runs.flat()).execute()
    expect(await cleanUp(deps)).toBe('Removed 2 job runs')
    const left = await ids('cronJobRuns')
    expect([left.length, left[0], left[50]]).toEqual([102, 103, 201])
  })

  it('removes files that dead runs have left behind', async () => {
    const draft = deps.files.createDraft('a dead run')
    await writeContent(draft.path, 'half')
    const { sha256 } = await storeContent(deps.files, 'whole', 'another')
    expect(await cleanUp(deps)).toBe('Removed 1 scratch file, 1 stored file')
    expect(await deps.files.has(sha256)).toBe(false)
    await draft.discard()
  })

  it('stops before the next connection when its signal is aborted', async () => {
    const supplier = await createSupplierUser(deps)
    await createSupplierConnection(deps, supplier, sourceServer.url('/feed.csv'))
    const stopped = cleanUpTask.run(deps, {
      leaseToken: 'clean-up',
      signal: AbortSignal.abort(new Error('stopped')),
      report: async () => undefined,
    })
    await expect(stopped).rejects.toThrow('stopped')
  })
})

describe('cleaning up a connection', () => {
  let supplier: UserRecord
  let connectionId: number

  beforeEach(async () => {
    supplier = await createSupplierUser(deps)
    const url = sourceServer.url('/feed.csv')
    connectionId = (await createSupplierConnection(deps, supplier, url)).id
  })

  async function publish(quantity: number) {
    const rows = `1,Boot,Shoes,${quantity}\r\n2,Cap,Hats,${quantity}\r\n`
    sourceServer.set('/feed.csv', { body: `sku,name,category,qty\r\n${rows}` })
    await inTransaction(deps.db, async (trx) => {
      const connection = await findConnection(trx, connectionId, {})
      await updateConnectionRow(trx, connection!, { nextSyncAt: deps.clock.now() })
    })
    await deps.work()
  }

  const createShoeShop = () =>
    createLinkedRetailer(deps, supplier, { allProducts: false, categories: ['Shoes'] })

  const change = (id: number, changes: Parameters<typeof updateRetailerRow>[2]) =>
    inTransaction(deps.db, async (trx) => {
      const retailer = await findRetailer(trx, id, {})
      await updateRetailerRow(trx, retailer!, changes)
    })

  const variants = () =>
    deps.db.selectFrom('variants').select(['versionId', 'sha256']).orderBy('id').execute()

  it('removes versions after three months, but not the published one', async () => {
    await publish(1)
    await publish(2)
    deps.clock.advance(91 * DAY_MS)
    expect(await cleanUp(deps)).toMatch(/1 version/)
    expect(await ids('versions')).toHaveLength(1)
  })

  it('keeps the filtered files that retailers read now or will read next', async () => {
    const { id, user } = await createShoeShop()
    await publish(1)
    await getLatestFile(deps, user, id)
    await publish(2)
    deps.clock.advance(2 * HOUR_MS)
    expect(await cleanUp(deps)).toBe(NOTHING)
    expect(await variants()).toHaveLength(2)
  })

  it('removes filtered files of versions that no retailer reads, and rebuilds them on demand', async () => {
    const { id, user } = await createShoeShop()
    await publish(1)
    const latest = await getLatestFile(deps, user, id)
    const fileName = 'fileName' in latest ? latest.fileName : ''
    const [first] = await variants()
    await publish(2)
    deps.clock.advance(DAY_MS)
    await getLatestFile(deps, user, id)
    expect(await cleanUp(deps)).toBe('Removed 1 filtered file')
    expect(await deps.files.has(first!.sha256!)).toBe(false)
    expect(await variants()).toHaveLength(1)
    const open = () => openRetailerFile(deps, user, { id, fileName })
    await expect(open()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await deps.work()
    expect(await open()).toMatchObject({ sha256: first!.sha256 })
    expect(await cleanUp(deps)).toBe(NOTHING)
  })

  it('removes filtered files of categories that no retailer has any more', async () => {
    const { id } = await createShoeShop()
    await publish(1)
    await change(id, { categories: ['Hats'] })
    expect(await cleanUp(deps)).toBe(NOTHING)
    deps.clock.advance(2 * HOUR_MS)
    expect(await cleanUp(deps)).toBe('Removed 1 filtered file')
    expect(await variants()).toEqual([])
  })
})
