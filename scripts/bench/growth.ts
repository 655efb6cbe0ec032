import { openDatabase } from '../../src/server/db/open'
import type { Bench } from './bench'
import { addCrowd } from './crowd'
import { formatNumber } from './goal'
import { interleave } from './interleave'
import { openPublisher } from './publishing'
import { repeatRequest } from './rates'
import { startSource } from './source'
import { openStage, syncOnce, type Stage, type Supplier } from './stage'
import { median } from './statistics'
import { measurePeak } from './sync-costs'
import { awaitNewFile } from './sync-rows'

const MB = 1_000_000

/** What something costs at three sizes. */
export type Law = { what: string; sizes: readonly string[]; costs: readonly string[] }

/** Measures how costs grow with files, retailers and settings. */
export async function measureGrowth(bench: Bench): Promise<Law[]> {
  return [
    ...(await growWithFiles(bench)),
    ...(await growWithRetailers(bench)),
    await growWithSettings(bench),
  ]
}

/** Syncs of a file that is three and ten times as large. */
async function growWithFiles(bench: Bench): Promise<Law[]> {
  const bytes = (bench.isQuick ? [10, 30, 100] : [100, 300, 1_000]).map((size) => size * MB)
  const stage = await openStage(`${bench.folder}/growth-data`, bench.cleanups)
  const sources = []
  for (const size of bytes) {
    sources.push(await startSource(await bench.canonicalFile(size), bench.cleanups))
  }
  const supplier = await stage.addSupplier('growing', sources[0]?.url ?? '')
  const times = await interleave(
    bench.runs,
    sources.map(
      ({ url }) =>
        async () =>
          (await syncOnce(supplier, url)).durationMs ?? NaN,
    ),
  )
  const peaks = await interleave(
    bench.runs,
    sources.map((source) => () => measurePeak(stage, supplier, source)),
  )
  const sizes = bytes.map((size) => `${formatNumber(size / MB)} MB`)
  return [
    { what: 'sync', sizes, costs: times.map((ms) => `${formatNumber(median(ms) / 1_000)} s`) },
    {
      what: 'memory of all processes in a sync, at most',
      sizes,
      costs: peaks.map((peak) => `${formatNumber(Math.round(median(peak) / MB))} MB`),
    },
  ]
}

const CROWDS = [100, 1_000, 10_000] as const

/** Publishing to more retailers, and listing them. */
async function growWithRetailers(bench: Bench): Promise<Law[]> {
  const publishers = []
  for (const count of CROWDS) publishers.push(await openPublisher(bench, count))
  const times = await interleave(
    bench.runs,
    publishers.map(({ timePublication }) => timePublication),
  )
  const grown = []
  for (const { countGrowth } of publishers) grown.push(await countGrowth())
  const sizes = CROWDS.map((count) => `${formatNumber(count)} retailers`)
  return [
    { what: 'publication', sizes, costs: times.map((ms) => `${formatNumber(median(ms))} ms`) },
    { what: 'rows and files of a sync', sizes, costs: grown.map((count) => `${count}`) },
    { what: 'a page of 50 of them, p50', sizes, costs: await timePages(bench) },
  ]
}

async function timePages(bench: Bench): Promise<string[]> {
  const stage = await bench.stage()
  const source = await startSource(await bench.canonicalFile(MB / 10), bench.cleanups)
  const costs = []
  for (const count of CROWDS) {
    const { id, rest } = await stage.addSupplier(`crowd-of-${count}`, source.url)
    const db = openDatabase(`${stage.dataDir}/app.db`)
    await addCrowd(db, id, count)
    await db.destroy()
    const input = encodeURIComponent(JSON.stringify({ 0: { size: 50 } }))
    const url = `${stage.product.url}/trpc/retailers.page?batch=1&input=${input}`
    const send = await repeatRequest(bench, { url, headers: { cookie: rest.cookie() } }, 1)
    const [times = []] = await interleave(bench.runs, [async () => (await send()).p50])
    costs.push(`${formatNumber(median(times))} ms`)
  }
  return costs
}

const READERS = 100
const SETS = [1, 10, 100] as const

/** Stored files and bytes for as many retailers with more distinct categories. */
async function growWithSettings(bench: Bench): Promise<Law> {
  const stage = await bench.stage()
  const source = await startSource(await bench.canonicalFile(10 * MB), bench.cleanups)
  const costs = []
  for (const count of SETS) {
    const supplier = await stage.addSupplier(`sets-${count}`, source.url)
    await stage.admin.send('PATCH', `/api/suppliers/${supplier.id}`, { maxRetailers: READERS })
    await addReaders(stage, supplier, count)
    costs.push(await readStored(stage, supplier))
  }
  return {
    what: `files stored of one version of 10 MB, for ${READERS} retailers`,
    sizes: SETS.map((count) => `${count} sets of categories`),
    costs,
  }
}

async function addReaders(stage: Stage, supplier: Supplier, sets: number): Promise<void> {
  for (let number = 0; number < READERS; number += 1) {
    const username = `reader-${sets}-${number}`
    const categories = [`Shoes > Kind ${number % sets}`]
    const retailer = await stage.addRetailer(supplier, username, categories)
    await awaitNewFile(retailer, undefined)
  }
}

async function readStored({ dataDir }: Stage, { connectionId }: Supplier): Promise<string> {
  const db = openDatabase(`${dataDir}/app.db`)
  const { count, bytes } = await db
    .selectFrom('variants')
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .select((select) => [
      select.fn.countAll<number>().as('count'),
      select.fn.sum<number>('variants.sizeBytes').as('bytes'),
    ])
    .where('versions.connectionId', '=', connectionId)
    .executeTakeFirstOrThrow()
  await db.destroy()
  return `${count}, of ${formatNumber(bytes / MB)} MB`
}

/** A Markdown table. */
export function formatLaws(laws: readonly Law[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row(['cost', 'small', 'medium', 'large']),
    row(['---', '---', '---', '---']),
    ...laws.map(({ what, sizes, costs }) =>
      row([what, ...costs.map((cost, place) => `${sizes[place]}: ${cost}`)]),
    ),
  ].join('\n')
}
