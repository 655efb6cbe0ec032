import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Db } from '../../src/server/db/open'
import { openPostgres } from '../../src/server/db/postgres/open-postgres'
import type { NewFeedAddress } from '../../src/shared/schemas/feed-address'
import { createCleanups, type Cleanups } from '../bench/cleanups'
import { formatNumber } from '../bench/goal'
import { writeCanonicalFile } from '../bench/inventory-file'
import { startLoadGenerator, type LoadGenerator } from '../bench/load-generator'
import { create, openPeople } from '../bench/people'
import { startSource } from '../bench/source'
import { readProcessorTimes } from './busy-time'
import { countFinishedRuns, growTo, keepSyncing, RETAILERS_EACH, SOURCES } from './many-suppliers'
import { startProcesses, type Fleet, type Servers } from './start-fleet'

const FILE_BYTES = 100_000
const REQUESTS = { connections: 32, seconds: 10 }
const SYNC_FOR_MS = 20_000
/** Until connections that were not due before are. */
const WARM_UP_MS = 3_000

/** More processes with few connections, then more connections with few processes. */
const STEPS = [
  { processes: 1, connections: 100 },
  { processes: 2, connections: 100 },
  { processes: 4, connections: 100 },
  { processes: 1, connections: 1_000 },
  { processes: 1, connections: 10_000 },
]

/** In a second, and the share of the machine's processors that was busy meanwhile. */
type Rate = { perSecond: number; busyShare: number }

/** What a shop and its browser send. */
type Shop = { feed: string; etag: string; cookie: string }

type Context = { folder: string; servers: Servers; load: LoadGenerator; db: Db }

/**
 * Measures how many syncs a fleet finishes and how many requests it answers in a second, with more
 * processes, and with more connections and retailers.
 * @param folder for the data of its processes
 * @param report is told the lines of a Markdown table
 */
export async function measureGrowth(
  folder: string,
  servers: Servers,
  cleanups: Cleanups,
  report: (line: string) => void,
): Promise<void> {
  const file = join(folder, 'growth.csv')
  await writeCanonicalFile(file, FILE_BYTES)
  const source = await startSource(file, cleanups, SOURCES)
  const db = openPostgres(servers.env.DATABASE_URL ?? '', () => undefined)
  cleanups.add(() => db.destroy())
  const context = { folder, servers, db, load: await startLoadGenerator(cleanups) }
  let shop: Shop | undefined
  report(toLine(HEAD))
  report(toLine(HEAD.map(() => '---:')))
  for (const [number, { processes, connections }] of STEPS.entries()) {
    await withFleet(context, `growth-${number}`, processes, async (fleet) => {
      shop ??= await addShop(fleet, source.url)
      await growTo(db, connections, source.port)
      const rates = await measure(context, fleet, shop)
      const sizes = [processes, connections, connections * RETAILERS_EACH]
      report(toLine([...sizes.map((size) => formatNumber(size)), ...rates.map(formatRate)]))
    })
  }
}

const HEAD = [
  'web processes and workers, each',
  'connections',
  'retailers',
  'syncs of 100 KB',
  '304 at a feed address',
  '100 KB at a feed address',
  '`GET /api/user` with a session',
]
const toLine = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const formatRate = ({ perSecond, busyShare }: Rate) =>
  `${formatNumber(Math.round(perSecond))}/s, ${Math.round(busyShare * 100)} % busy`

/** Starts processes for one measurement, with data folders of their own. */
async function withFleet(
  { folder, servers }: Context,
  name: string,
  processes: number,
  work: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const own = join(folder, name)
  await mkdir(own)
  const cleanups = createCleanups()
  try {
    const size = { webs: processes, workers: processes }
    await work(await startProcesses(own, size, servers, cleanups, () => undefined))
  } finally {
    await cleanups.run()
  }
}

async function addShop({ url }: Fleet, sourceUrl: string): Promise<Shop> {
  const people = await openPeople(url)
  const supplier = await people.addSupplier('growth', sourceUrl)
  const { id, rest } = await people.addRetailer(supplier, 'growth-shop')
  const { path } = await create<NewFeedAddress>(rest, `/api/retailers/${id}/feed-addresses`, {})
  const answer = await fetch(url + path)
  await answer.arrayBuffer()
  return { feed: path, etag: answer.headers.get('etag') ?? '', cookie: rest.cookie() }
}

async function measure({ db, load }: Context, { url }: Fleet, shop: Shop): Promise<Rate[]> {
  const feed = { ...REQUESTS, url: url + shop.feed }
  const user = { ...REQUESTS, url: `${url}/api/user`, headers: { cookie: shop.cookie } }
  const unchanged = { ...feed, headers: { 'if-none-match': shop.etag }, expectedStatus: 304 }
  const rates = [await withBusyShare(() => measureSyncs(db))]
  for (const task of [unchanged, feed, user]) {
    // What is compiled and remembered at first is not measured.
    await load({ ...task, seconds: 1 })
    rates.push(await withBusyShare(async () => (await load(task)).perSecond))
  }
  return rates
}

/** Keeps connections due, and counts the syncs that end in a second. */
async function measureSyncs(db: Db): Promise<number> {
  const stop = keepSyncing(db)
  await sleep(WARM_UP_MS)
  const before = await countFinishedRuns(db)
  const startedAt = performance.now()
  await sleep(SYNC_FOR_MS)
  const count = (await countFinishedRuns(db)) - before
  const seconds = (performance.now() - startedAt) / 1_000
  await stop()
  return count / seconds
}

async function withBusyShare(work: () => Promise<number>): Promise<Rate> {
  const before = readProcessorTimes()
  const perSecond = await work()
  const after = readProcessorTimes()
  return { perSecond, busyShare: (after.busy - before.busy) / (after.all - before.all) }
}
