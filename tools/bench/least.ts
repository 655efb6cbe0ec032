import { openDatabase, type Db } from '../../src/server/db/open'
import type { Bench } from './bench'
import { publish, readTag } from './downloads'
import { atLeast, formatNumber } from './goal'
import { interleave } from './interleave'
import { startProgram } from './program'
import type { PlainSyncs, PlainSyncsTaken } from './programs/plain-sync'
import { compareRequests, toRate } from './rates'
import type { Measured, Row } from './row'
import { openStage, type Stage } from './stage'
import { median } from './statistics'
import { syncTogether } from './sync-together'
import { readCpuMs, requireVitals } from './vitals'

const KB = 1_000
/** Connections that are due together, by their sources: as many take some seconds. */
const SYNCS = [
  { what: 'a sync of 10 KB', sizeBytes: 10 * KB, count: 20, least: 0.1 },
  { what: 'a sync of 100 KB', sizeBytes: 100 * KB, count: 20, least: 0.33 },
  { what: 'a sync of 1 MB', sizeBytes: 1_000 * KB, count: 10, least: 0.33 },
  { what: 'a sync of 10 MB', sizeBytes: 10_000 * KB, count: 4, least: 0.33 },
  { what: '100 KB, unchanged', sizeBytes: 100 * KB, count: 20, least: 3.33, isUnchanged: true },
]
/** So many plain programs are started for each measurement, since each is new only once. */
const STARTS = 5

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
    parts: SYNCS.flatMap(({ what, least }) => [
      {
        what: `processor time of ${what}: a plain program that has long run`,
        goal: atLeast(least),
      },
      {
        what: `processor time of ${what}: one that has just started`,
        goal: atLeast(Math.max(least, 0.33)),
      },
    ]),
    async measure(bench) {
      requireVitals()
      const stage = await openStage(`${bench.folder}/least-data`, bench.cleanups)
      const db = openDatabase(`${stage.dataDir}/app.db`)
      bench.cleanups.add(() => db.destroy())
      const measured: Measured[] = []
      for (const syncs of SYNCS) measured.push(...(await compareSyncs(bench, stage, db, syncs)))
      return measured
    },
  },
]

type Syncs = { sizeBytes: number; count: number; isUnchanged?: boolean }

/** Compares the product with a plain program that has long run, and with one that has just started. */
async function compareSyncs(
  bench: Bench,
  stage: Stage,
  db: Db,
  { sizeBytes, count, isUnchanged = false }: Syncs,
): Promise<Measured[]> {
  const source = await bench.source(sizeBytes)
  const url = isUnchanged ? source.unchangedUrl : source.url
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) {
    const name = `${isUnchanged ? 'unchanged' : 'new'}-${sizeBytes}-${index}`
    ids.push((await stage.addSupplier(name, url)).connectionId)
  }
  const plain = await startPlain(bench)
  const measurements = [
    () => timeSyncs(stage, db, ids),
    async () => (await plain.ask({ url: source.url, count })).cpuMs / count,
    () => timeFirstSync(bench, source.url),
  ]
  await interleave(1, measurements)
  const [ours = 0, ...peers] = (await interleave(bench.runs, measurements)).map(median)
  return peers.map((peer) => ({
    value: peer / ours,
    ours: `${formatNumber(ours)} ms`,
    peer: `${formatNumber(peer)} ms`,
  }))
}

const startPlain = ({ cleanups }: Bench) =>
  startProgram<PlainSyncs, PlainSyncsTaken>('plain-sync', [], cleanups)

/** The processor time of the first sync of a plain program, without its start. */
async function timeFirstSync(bench: Bench, url: string): Promise<number> {
  const start = async () => (await (await startPlain(bench)).ask({ url, count: 1 })).cpuMs
  const [times = []] = await interleave(STARTS, [start])
  return median(times)
}

/** The processor time of all processes per sync, of connections that are due together. */
async function timeSyncs({ product }: Stage, db: Db, ids: number[]): Promise<number> {
  const before = await readCpuMs(product.pid)
  await syncTogether(db, ids)
  return ((await readCpuMs(product.pid)) - before) / ids.length
}
