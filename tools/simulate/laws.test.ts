import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  getLatestFile,
  openRetailerFile,
} from '../../src/server/features/distribution/downloads/retailer-files'
import type { UserRecord } from '../../src/server/features/people/accounts/users.queries'
import {
  createLinkedRetailer,
  createSupplierConnection,
  createSupplierUser,
  removeGuards,
} from '../../src/server/testing/fixtures/factories'
import { listStoredFiles } from '../../src/server/testing/fixtures/stored-files'
import {
  startSourceServer,
  type SourceServer,
} from '../../src/server/testing/servers/source-server'
import { cleanUp } from '../../src/server/testing/stages/clean-up'
import { openTestDeps, type TestDeps } from '../../src/server/testing/stages/test-deps'
import { HOUR_MS } from '../../src/shared/durations'
import { countFileBytes, countFiles, countRows, type Days, type Table } from './laws'

const DAYS = 35
const ITEMS = 40
const PATH = '/stock.csv'

let sourceServer: SourceServer
let deps: TestDeps
let retailers: { id: number; user: UserRecord }[]

beforeEach(async () => {
  sourceServer = await startSourceServer()
  // The product's own jobs would run in between.
  deps = await openTestDeps({ fetchAllow: [sourceServer.host] }, { cronTasks: [] })
})
afterEach(async () => {
  await deps.close()
  await sourceServer.close()
})

/** A file of the same size on every day, half of whose rows are shoes. */
function toFile(day: number): string {
  const rows = Array.from({ length: ITEMS }, (_, item) => {
    const category = item % 2 === 0 ? 'Shoes' : 'Boots'
    return `SKU-${1_000 + item},${category},${100 + day}\n`
  })
  return `sku,category,quantity\n${rows.join('')}`
}

/** A supplier whose file is new every day and synced twice, and three retailers, of whom one is filtered. */
async function openSupplier(): Promise<void> {
  const supplier = await createSupplierUser(deps)
  await createSupplierConnection(deps, supplier, sourceServer.url(PATH), 720)
  await removeGuards(deps)
  const shoes = { allProducts: false, categories: ['Shoes'] }
  retailers = [
    await createLinkedRetailer(deps, supplier),
    await createLinkedRetailer(deps, supplier),
    await createLinkedRetailer(deps, supplier, shoes),
  ]
  await deps.db.updateTable('retailers').set({ syncFrequencyMinutes: 0 }).execute()
}

/** The shop reads the newest file; the second time it has not changed. */
async function readAll(): Promise<void> {
  for (const { id, user } of retailers) {
    const latest = await getLatestFile(deps, user, id)
    if (!('fileName' in latest)) throw new Error('There is no file')
    const { onRead } = await openRetailerFile(deps, user, { id, fileName: latest.fileName })
    for (const isSent of [true, false]) await onRead?.({ userAgent: 'curl/8', isSent })
  }
  await deps.pulls.flush()
}

async function live(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    sourceServer.set(PATH, { body: toFile(day), etag: `"${day}"` })
    for (let half = 0; half < 2; half += 1) {
      await deps.work()
      if (half === 0) await readAll()
      deps.clock.advance(12 * HOUR_MS)
    }
  }
  await cleanUp(deps)
}

const DAY: Days = {
  syncs: 2,
  published: 1,
  fileBytes: toFile(0).length,
  rowBytes: toFile(0).length / ITEMS,
  retailers: 3,
  reads: 2,
  sent: 1,
  views: 1,
  viewShare: 0.5,
  copiesOfVersion: 0,
  copiesOfView: 0,
  actions: 0,
}
/** Counted by what people and shops do, which nobody does here. */
const UNUSED = new Set<Table>(['auditEntries', 'users', 'feedAddresses', 'compressedFiles'])

async function readRowCounts(): Promise<Partial<Record<Table, number>>> {
  const tables = (Object.keys(countRows(DAY, 1)) as Table[]).filter((name) => !UNUSED.has(name))
  const counts = tables.map(async (name) => {
    const { count } = await deps.db
      .selectFrom(name)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return [name, count] as const
  })
  return Object.fromEntries(await Promise.all(counts))
}

async function readFileBytes(): Promise<number> {
  const { bytes } = await deps.db
    .selectFrom('versions')
    .select(({ fn, eb }) =>
      fn.sum<number>(eb('sizeBytes', '+', eb.fn.coalesce('keysBytes', eb.lit(0)))).as('bytes'),
    )
    .executeTakeFirstOrThrow()
  const variants = await deps.db.selectFrom('variants').select('sizeBytes').execute()
  return variants.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), bytes)
}

/** Their changes are folded, and those of the past joined, whatever the number of versions. */
const MAX_HISTORY_FILES = 12

describe('the laws of growth', () => {
  it.each([3, DAYS])('hold for a supplier of the product after %d days', async (days) => {
    await openSupplier()
    await live(days)
    const laws = Object.entries(countRows(DAY, days)) as [Table, number][]
    const expected = laws.filter(([table]) => !UNUSED.has(table))
    expect(await readRowCounts()).toEqual(Object.fromEntries(expected))
    const bytes = await readFileBytes()
    const { ofVersions, filtered } = countFiles(DAY, days)
    const history = await deps.db.selectFrom('historyFiles').select('sha256').execute()
    expect(history.length).toBeLessThanOrEqual(MAX_HISTORY_FILES)
    expect(await listStoredFiles(deps)).toHaveLength(ofVersions + filtered + history.length)
    // Files have a header, and key files one of their own.
    expect(bytes / countFileBytes(DAY, days)).toBeCloseTo(1, 1)
  })
})
