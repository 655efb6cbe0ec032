import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'

import type { Db } from '../../src/server/db/open'
import { openPostgres } from '../../src/server/db/postgres/open-postgres'
import type { Cleanups } from '../bench/cleanups'
import { writeCanonicalFile } from '../bench/inventory-file'
import { startSource } from '../bench/source'
import { readProcessorTimes } from './busy-time'
import { countFinishedRuns, growTo, keepSyncing, SOURCES } from './many-suppliers'
import { startProcesses, type Servers } from './start-fleet'

const FILE_BYTES = 100_000
/** Until the processes have compiled what they run, and so long again. */
const WARM_UP_MS = 40_000
const MEASURED_MS = 40_000
/** Of each supplier's retailers, those that see a fifth of the rows. */
const VIEWS = 8
const CATEGORIES = 500
const CATEGORIES_OF_VIEW = 100
const CATEGORIES_BETWEEN = 60

/**
 * Measures the processor time of syncs and filtered files in all parts of a fleet that has run for a while: that of
 * its processes, PostgreSQL, Redis and Ceph, and that of the source.
 * @param folder for the data of its processes
 * @param report is told a line for each
 */
export async function measureCosts(
  folder: string,
  servers: Servers,
  cleanups: Cleanups,
  report: (line: string) => void,
): Promise<void> {
  const file = join(folder, 'costs.csv')
  await writeCanonicalFile(file, FILE_BYTES)
  const source = await startSource(file, cleanups, SOURCES)
  const db = openPostgres(servers.env.DATABASE_URL ?? '', () => undefined)
  cleanups.add(() => db.destroy())
  await startProcesses(folder, { webs: 1, workers: 1 }, servers, cleanups, () => undefined)
  await growTo(db, SOURCES, source.port)
  const published = await measureSyncs(db, 'published')
  report(`a sync of 100 KB that publishes: ${toMs(published.busyMs / published.syncs)}`)
  await filterRetailers(db)
  const { busyMs, syncs, filtered } = await measureSyncs(db, 'published')
  const rest = busyMs - (published.busyMs / published.syncs) * syncs
  report(`a filtered file of a fifth of its rows: ${toMs(rest / filtered)}`)
  await db.updateTable('connections').set({ config: toUnchanged }).execute()
  const unchanged = await measureSyncs(db, 'unchanged')
  report(`a sync of a source that has not changed: ${toMs(unchanged.busyMs / unchanged.syncs)}`)
}

const toMs = (ms: number) => `${ms.toFixed(1)} ms of processor time`
const toUnchanged = sql<never>`replace(config::text, '/changing.csv', '/unchanged.csv')`

/** Keeps connections due, and counts what is done meanwhile and how long processors are busy. */
async function measureSyncs(db: Db, outcome: 'published' | 'unchanged') {
  const stop = keepSyncing(db)
  await sleep(WARM_UP_MS)
  const before = { ...(await count(db, outcome)), busyMs: readProcessorTimes().busy }
  await sleep(MEASURED_MS)
  const after = { ...(await count(db, outcome)), busyMs: readProcessorTimes().busy }
  await stop()
  return {
    syncs: after.syncs - before.syncs,
    filtered: after.filtered - before.filtered,
    busyMs: after.busyMs - before.busyMs,
  }
}

async function count(db: Db, outcome: 'published' | 'unchanged') {
  const { filtered } = await db
    .selectFrom('variants')
    .select(({ fn }) => fn.countAll<number>().as('filtered'))
    .where('sha256', 'is not', null)
    .executeTakeFirstOrThrow()
  return { syncs: await countFinishedRuns(db, outcome), filtered }
}

/** Lets some retailers of each supplier see categories of their own. */
async function filterRetailers(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number; place: number }>`select id,
    row_number() over (partition by "supplierId" order by id) as place from retailers`.execute(db)
  for (let place = 1; place <= VIEWS; place += 1) {
    const ids = rows.filter((row) => row.place === place).map(({ id }) => id)
    const categories = Array.from(
      { length: CATEGORIES_OF_VIEW },
      (_, index) => `Shoes > Kind ${(place * CATEGORIES_BETWEEN + index) % CATEGORIES}`,
    )
    const set = { isAllProducts: false, categories }
    await db.updateTable('retailers').set(set).where('id', 'in', ids).execute()
  }
}
