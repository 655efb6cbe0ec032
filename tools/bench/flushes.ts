import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { hasStrace, traceSystemCalls } from '../../src/e2e/support/trace-system-calls'
import { openDatabase, type Db } from '../../src/server/db/open'
import type { Bench } from './bench'
import { atMost, formatNumber } from './goal'
import { interleave } from './interleave'
import type { Measured, Row } from './row'
import { Skipped } from './skipped'
import type { Stage } from './stage'
import { median } from './statistics'
import { syncTogether } from './sync-together'

const KB = 1_000
/** Connections that are due together. */
const SYNCS = 10

export const flushRows: readonly Row[] = [
  {
    number: 27,
    name: 'sync-flushes',
    parts: [
      { what: 'flushes of the database in a sync of 100 KB', goal: atMost(4, 'flushes') },
      { what: 'flushes of its files and their folders', goal: atMost(8, 'flushes') },
      { what: 'flushes of the database, source unchanged', goal: atMost(2, 'flushes') },
    ],
    async measure(bench) {
      if (!hasStrace) throw new Skipped('strace is not installed')
      const stage = await bench.stage()
      await makeFolders(`${stage.dataDir}/files`)
      const source = await bench.source(100 * KB)
      const db = openDatabase(`${stage.dataDir}/app.db`)
      bench.cleanups.add(() => db.destroy())
      const ofNew = await countFlushes(bench, { stage, db, name: 'flushed', url: source.url })
      const unchanged = { stage, db, name: 'flushed-unchanged', url: source.unchangedUrl }
      return [ofNew.log, ofNew.files, (await countFlushes(bench, unchanged)).log]
    },
  },
]

/** Of an installation that has run for a day: each is flushed once more when it is new. */
async function makeFolders(directory: string): Promise<void> {
  for (let folder = 0; folder < 256; folder += 1) {
    await mkdir(join(directory, folder.toString(16).padStart(2, '0')), { recursive: true })
  }
}

type Counted = { stage: Stage; db: Db; name: string; url: string }

/** Counts what a sync flushes: several that are due together share some. */
async function countFlushes(
  bench: Bench,
  { stage, db, name, url }: Counted,
): Promise<{ log: Measured; files: Measured }> {
  const ids: number[] = []
  for (let index = 0; index < SYNCS; index += 1) {
    ids.push((await stage.addSupplier(`${name}-${index}`, url)).connectionId)
  }
  const ofLog: number[] = []
  const [all = []] = await interleave(bench.runs, [
    async () => {
      const tracing = await traceSystemCalls(stage.product.pid, ['fsync', 'fdatasync'])
      if (!tracing) throw new Skipped('tracing other processes is not permitted')
      await syncTogether(db, ids)
      const calls = await tracing.stop()
      const flushes = calls.filter((call) => /^f(?:data)?sync\(/.test(call))
      ofLog.push(flushes.filter((call) => /app\.db(?:-wal)?>/.test(call)).length / SYNCS)
      return flushes.length / SYNCS
    },
  ])
  return { log: toFlushes(median(ofLog)), files: toFlushes(median(all) - median(ofLog)) }
}

const toFlushes = (value: number): Measured => ({ value, ours: formatNumber(value) })
