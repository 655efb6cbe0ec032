import { openDatabase, type Db } from '../../src/server/db/open'
import type { Bench } from './bench'
import { publish, readTag } from './downloads'
import { atLeast, formatNumber } from './goal'
import { compareTimes } from './interleave'
import { startProgram } from './program'
import type { PlainSyncs, PlainSyncsTaken } from './programs/plain-sync'
import { compareRequests, toRate } from './rates'
import type { Measured, Row } from './row'
import { openStage, type Stage } from './stage'
import { syncTogether } from './sync-together'
import { readCpuMs, requireVitals } from './vitals'

const KB = 1_000
/** Connections that are due together, by the size of their files: as many take some seconds. */
const SYNCS = [
  { what: '10 KB', sizeBytes: 10 * KB, count: 20, least: 0.1 },
  { what: '100 KB', sizeBytes: 100 * KB, count: 20, least: 0.33 },
  { what: '1 MB', sizeBytes: 1_000 * KB, count: 10, least: 0.33 },
  { what: '10 MB', sizeBytes: 10_000 * KB, count: 4, least: 0.33 },
]

/** The product beside the least that Node can do. */
export const leastRows: readonly Row[] = [
  {
    number: 22,
    name: 'least-reads',
    parts: [
      { what: '304 at a feed address: a bare server', goal: atLeast(0.62) },
      { what: '100 KB at a feed address: a bare server', goal: atLeast(0.62) },
      { what: 'the same behind a session: a bare server', goal: atLeast(0.33) },
    ],
    async measure(bench) {
      const { sourceUrl, fileUrl, cookie } = await publish(bench, 'least', 100 * KB)
      const bare = await startProgram('bare-reads', [sourceUrl], bench.cleanups)
      const peer = { url: `http://127.0.0.1:${bare.port}${new URL(sourceUrl).pathname}` }
      const headers = { 'if-none-match': await readTag(sourceUrl) }
      const unchanged = { headers, expectedStatus: 304 }
      const own = { url: sourceUrl }
      const withSession = { url: fileUrl, headers: { cookie } }
      return [
        toRate(await compareRequests(bench, { ...own, ...unchanged }, { ...peer, ...unchanged })),
        toRate(await compareRequests(bench, own, peer)),
        toRate(await compareRequests(bench, withSession, peer)),
      ]
    },
  },
  {
    number: 23,
    name: 'least-sync',
    parts: [
      ...SYNCS.map(({ what, least }) => ({
        what: `processor time of a sync of ${what}: a plain program`,
        goal: atLeast(least),
      })),
      {
        what: 'of an unchanged source: a plain program with 100 KB',
        goal: atLeast(3.33),
      },
    ],
    async measure(bench) {
      requireVitals()
      const stage = await openStage(`${bench.folder}/least-data`, bench.cleanups)
      const db = openDatabase(`${stage.dataDir}/app.db`)
      bench.cleanups.add(() => db.destroy())
      const measured: Measured[] = []
      for (const { sizeBytes, count } of SYNCS) {
        measured.push(await compareSyncs(bench, { stage, db, sizeBytes, count }))
      }
      const unchanged = { stage, db, sizeBytes: 100 * KB, count: 20, isUnchanged: true }
      return [...measured, await compareSyncs(bench, unchanged)]
    },
  },
]

type Compared = {
  stage: Stage
  db: Db
  sizeBytes: number
  count: number
  isUnchanged?: boolean
}

async function compareSyncs(
  bench: Bench,
  { stage, db, sizeBytes, count, isUnchanged = false }: Compared,
): Promise<Measured> {
  const source = await bench.source(sizeBytes)
  const url = isUnchanged ? source.unchangedUrl : source.url
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) {
    const name = `${isUnchanged ? 'unchanged' : 'new'}-${sizeBytes}-${index}`
    ids.push((await stage.addSupplier(name, url)).connectionId)
  }
  const plain = await startProgram<PlainSyncs, PlainSyncsTaken>('plain-sync', [], bench.cleanups)
  const ours = () => timeSyncs(stage, db, ids)
  const peer = async () => (await plain.ask({ url: source.url, count })).cpuMs / count
  await ours()
  await peer()
  const times = await compareTimes({ runs: bench.runs, ours, peer })
  return {
    value: times.ratio,
    ours: `${formatNumber(times.ours)} ms`,
    peer: `${formatNumber(times.peer)} ms`,
  }
}

/** The processor time of all processes per sync, of connections that are due together. */
async function timeSyncs({ product }: Stage, db: Db, ids: number[]): Promise<number> {
  const before = await readCpuMs(product.pid)
  await syncTogether(db, ids)
  return ((await readCpuMs(product.pid)) - before) / ids.length
}
