import { setTimeout as sleep } from 'node:timers/promises'

import { readNow } from '../../src/e2e/support/page'
import { listTree, readProportionalMemory } from '../../src/e2e/support/process-tree'
import { timeResponses } from '../../src/e2e/support/response-times'
import { until } from '../../src/e2e/support/rest-client'
import { inTransaction, openDatabase } from '../../src/server/db/open'
import type { Bench } from './bench'
import { atMost, formatNumber } from './goal'
import { interleave } from './interleave'
import { syncOnce, type Supplier } from './people'
import type { Measured, Row } from './row'
import type { Source } from './source'
import { openStage, type Stage } from './stage'
import { median } from './statistics'
import { readCpuMs, requireVitals } from './vitals'

const MB = 1_000_000
/** What the product reports as the delay of an event loop that does nothing. */
const LOOP_INTERVAL_MS = 10
/** The scheduler looks for due syncs once a second. */
const UNCHANGED_MS = 1_500

export const syncCostRows: readonly Row[] = [
  {
    number: 4,
    name: 'sync-memory',
    parts: [
      { what: 'memory of all processes beyond idle, in a sync of 1 GB', goal: atMost(64, 'MB') },
      { what: 'all memory in a sync of 1 GB: of 100 MB', goal: atMost(1.1) },
    ],
    async measure(bench) {
      requireVitals()
      const stage = await openSmall(bench)
      const idle = await readMemory(stage)
      const suppliers = [await openSupplier(bench, 'huge'), await openSupplier(bench, 'large')]
      const [peaks = [], largePeaks = []] = await interleave(
        bench.runs,
        suppliers.map((supplier) => () => measurePeak(stage, supplier)),
      )
      const [peak, largePeak] = [median(peaks), median(largePeaks)]
      return [
        { value: (peak - idle) / MB, ours: `${toMegabytes(peak)}, idle ${toMegabytes(idle)}` },
        { value: peak / largePeak, ours: toMegabytes(peak), peer: toMegabytes(largePeak) },
      ]
    },
  },
  {
    number: 5,
    name: 'sync-event-loop',
    parts: [
      { what: 'longest delay of the event loop in a sync of 100 MB', goal: atMost(20, 'ms') },
    ],
    async measure(bench) {
      const stage = await openSmall(bench)
      const supplier = await openSupplier(bench, 'large')
      const [delays = []] = await interleave(bench.runs, [
        async () => {
          await readLoopDelay(stage)
          await syncOnce(supplier)
          return readLoopDelay(stage)
        },
      ])
      const delay = median(delays)
      return [{ value: delay, ours: `${formatNumber(delay)} ms` }]
    },
  },
  {
    number: 6,
    name: 'sync-unchanged',
    parts: [
      { what: 'unchanged source: requests per sync, all conditional', goal: atMost(1, 'request') },
      { what: 'bytes of its file per sync', goal: atMost(0, 'bytes') },
      { what: 'time on our processors per sync', goal: atMost(5, 'ms') },
    ],
    async measure(bench) {
      requireVitals()
      const stage = await bench.stage()
      const source = await bench.source(bench.sizes.large)
      const supplier = await stage.addSupplier('unchanged', source.unchangedUrl)
      return measureUnchanged(stage, source, supplier, bench.isQuick ? 3 : 10)
    },
  },
]

/** A product of its own, which at first has read no more than a small file. */
const openSmall = (bench: Bench) =>
  bench.shared('small stage', async () => {
    const metrics = { METRICS_PORT: '0' }
    const stage = await openStage(`${bench.folder}/small-data`, bench.cleanups, metrics)
    await stage.addSupplier('small', (await bench.source(MB)).url)
    return stage
  })

/** A supplier of a larger file there: a file of another size at the same connection would be held. */
const openSupplier = (bench: Bench, size: keyof Bench['sizes']) =>
  bench.shared(`${size} file in the small stage`, async () => {
    const { addSupplier } = await openSmall(bench)
    return addSupplier(size, (await bench.source(bench.sizes[size])).url)
  })

const readMemory = async ({ product }: Stage) => readProportionalMemory(await listTree(product.pid))

/** The most memory of all processes of the product during a sync. */
export async function measurePeak(stage: Stage, supplier: Supplier): Promise<number> {
  let peak = 0
  const sample = async () => {
    peak = Math.max(peak, await readMemory(stage))
  }
  await timeResponses(sample, syncOnce(supplier))
  return peak
}

/** The longest delay of the web process's event loop since the last call, in milliseconds. */
async function readLoopDelay({ product }: Stage): Promise<number> {
  const findUrl = async () =>
    /metrics\s+(http:\S+)/.exec(await readNow(product.output()))?.[1] ?? ''
  const url = await until(findUrl, (found) => found !== '')
  const text = await (await fetch(url)).text()
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]
  return Number(seconds) * 1_000 - LOOP_INTERVAL_MS
}

async function measureUnchanged(
  { product, dataDir }: Stage,
  source: Source,
  { connectionId }: Supplier,
  syncs: number,
): Promise<Measured[]> {
  const db = openDatabase(`${dataDir}/app.db`)
  const measure = async (work: () => Promise<unknown>) => {
    const before = await readCpuMs(product.pid)
    for (let count = 0; count < syncs; count += 1) {
      await work()
      await sleep(UNCHANGED_MS)
    }
    return (await readCpuMs(product.pid)) - before
  }
  // The scheduler, which also runs when nothing is due.
  const idleMs = await measure(async () => undefined)
  await source.report()
  const busyMs = await measure(() =>
    inTransaction(db, (trx) =>
      trx
        .updateTable('connections')
        .set({ nextSyncAt: Date.now() })
        .where('id', '=', connectionId)
        .execute(),
    ),
  )
  await db.destroy()
  const { requests, conditional, bodyBytes } = await source.report()
  if (requests < syncs) throw new Error(`Only ${requests} syncs were made`)
  const cpuMs = (busyMs - idleMs) / syncs
  return [
    { value: requests / syncs, ours: `${conditional} conditional of ${requests}` },
    { value: bodyBytes / syncs, ours: `${formatNumber(bodyBytes)} bytes in all` },
    { value: cpuMs, ours: `${formatNumber(cpuMs)} ms` },
  ]
}

const toMegabytes = (bytes: number) => `${formatNumber(Math.round(bytes / MB))} MB`
