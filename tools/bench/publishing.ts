import { sql } from 'kysely'

import type { Db } from '../../src/server/db/open'
import { listTables } from '../../src/server/db/queries-kit/copy-rows'
import { fetchFile } from '../../src/server/features/publication/syncs/fetch-file'
import { finishSync } from '../../src/server/features/publication/syncs/finish-sync'
import { startRun } from '../../src/server/features/publication/syncs/sync-lease'
import type { TestDeps } from '../../src/server/testing/stages/test-deps'
import { HOUR_MS } from '../../src/shared/durations'
import type { Bench } from './bench'
import { addCrowd } from './crowd'
import { atMost, formatNumber } from './goal'
import { interleave } from './interleave'
import { changeConnection, openModules, type Claim, type Modules } from './module-stage'
import type { Row } from './row'
import { median } from './statistics'

const FEW = 100
const MANY = 10_000

export const publishingRows: readonly Row[] = [
  {
    number: 14,
    name: 'publishing',
    parts: [
      {
        what: 'rows and files of a sync for 10,000 retailers: more than for 100',
        goal: atMost(0, 'more'),
      },
      { what: 'publication to 10,000 retailers once the file is stored', goal: atMost(5, 'ms') },
    ],
    async measure(bench) {
      const few = await openPublisher(bench, FEW)
      const many = await openPublisher(bench, MANY)
      const [grownFew, grownMany] = [await few.countGrowth(), await many.countGrowth()]
      const [times = []] = await interleave(bench.runs, [many.timePublication])
      const ms = median(times)
      return [
        { value: grownMany - grownFew, ours: `${grownMany}`, peer: `${grownFew}` },
        { value: ms, ours: `${formatNumber(ms)} ms` },
      ]
    },
  },
]

/** A supplier of so many retailers, and what it costs to publish to them. */
export function openPublisher(bench: Bench, retailers: number): Promise<Publisher> {
  const name = `publishing-${retailers}`
  return bench.shared(name, async () => createPublisher(await openModules(bench, name), retailers))
}

type Publisher = {
  /** The rows and files that a sync and all work after it add. */
  countGrowth(): Promise<number>
  /** In milliseconds. */
  timePublication(): Promise<number>
}

async function createPublisher(modules: Modules, retailers: number): Promise<Publisher> {
  const { deps, supplier, connection } = modules
  await addCrowd(deps.db, supplier.id, retailers)
  const count = async () => (await countRows(deps.db)) + (await countFiles(deps))
  // The first sync also writes what later ones find.
  await deps.work()
  return {
    async countGrowth() {
      const before = await count()
      deps.clock.advance(HOUR_MS)
      await deps.work()
      return (await count()) - before
    },
    async timePublication() {
      deps.clock.advance(HOUR_MS)
      const claim = { connectionId: connection.id, leaseToken: `claim-${deps.clock.now()}` }
      await hold(deps, claim)
      const started = await startRun(deps, claim)
      if (!started) throw new Error('The connection was not held')
      const { signal } = new AbortController()
      const note = () => undefined
      const fetched = await fetchFile(deps, started.run, started.connection, { note, signal })
      const startedAt = performance.now()
      await finishSync(deps, started.run, fetched, false)
      return performance.now() - startedAt
    },
  }
}

function hold(deps: TestDeps, { connectionId, leaseToken }: Claim): Promise<unknown> {
  const leaseUntil = deps.clock.now() + HOUR_MS
  return changeConnection(deps, connectionId, { leaseToken, leaseUntil, isRunning: false })
}

async function countRows(db: Db): Promise<number> {
  const tables = await listTables(db)
  let count = 0
  for (const { name } of tables) {
    const { rows } = await sql<{ n: number }>`select count(*) n from ${sql.table(name)}`.execute(db)
    count += rows[0]?.n ?? 0
  }
  return count
}

async function countFiles({ files }: TestDeps): Promise<number> {
  const names = new Set<string>()
  for await (const { sha256 } of files.list()) names.add(sha256)
  return names.size
}
