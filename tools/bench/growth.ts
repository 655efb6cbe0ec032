import { until } from '../../src/e2e/support/rest-client'
import { inTransaction, openDatabase, type Db } from '../../src/server/db/open'
import { formatCountOf } from '../../src/shared/format'
import type { Bench } from './bench'
import { addCrowd } from './crowd'
import { formatNumber } from './goal'
import { interleave } from './interleave'
import { syncOnce, type Supplier } from './people'
import { openPublisher } from './publishing'
import { repeatRequest } from './rates'
import { openStage } from './stage'
import { median } from './statistics'
import { measurePeak } from './sync-costs'
import { timeSync } from './sync-rows'
import { formatTable } from './table'

const MB = 1_000_000
const BUILT_WITHIN_MS = 120_000

/** What something costs at three sizes. */
export type Law = { what: string; sizes: readonly string[]; costs: readonly string[] }

/** Measures how some costs grow. */
export type Growth = { name: string; measure(bench: Bench): Promise<Law[]> }

export const growths: readonly Growth[] = [
  { name: 'growth with files', measure: growWithFiles },
  { name: 'growth with retailers', measure: growWithRetailers },
  { name: 'growth with settings', measure: growWithSettings },
]

/** Syncs of a file that is three and ten times as large. */
async function growWithFiles(bench: Bench): Promise<Law[]> {
  const bytes = (bench.isQuick ? [10, 30, 100] : [100, 300, 1_000]).map((size) => size * MB)
  const stage = await openStage(`${bench.folder}/growth-data`, bench.cleanups)
  const suppliers: Supplier[] = []
  for (const size of bytes) {
    suppliers.push(await stage.addSupplier(`of-${size}`, (await bench.source(size)).url))
  }
  const times = await interleave(
    bench.runs,
    suppliers.map((supplier) => () => timeSync(supplier)),
  )
  const peaks = await interleave(
    bench.runs,
    suppliers.map((supplier) => () => measurePeak(stage, supplier)),
  )
  const sizes = bytes.map((size) => `${formatNumber(size / MB)} MB`)
  return [
    { what: 'sync', sizes, costs: times.map((seconds) => `${formatNumber(median(seconds))} s`) },
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
  const source = await bench.source(MB / 10)
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
async function growWithSettings(bench: Bench): Promise<Law[]> {
  const { dataDir, addSupplier } = await bench.stage()
  const source = await bench.source(10 * MB)
  const db = openDatabase(`${dataDir}/app.db`)
  const costs = []
  for (const count of SETS) {
    const supplier = await addSupplier(`sets-${count}`, source.url)
    await addCrowd(db, supplier.id, READERS)
    await giveCategories(db, supplier.id, count)
    await syncOnce(supplier)
    const isBuilt = ({ waiting }: StoredFiles) => waiting === 0
    const { files, bytes } = await until(() => readStored(db, supplier), isBuilt, BUILT_WITHIN_MS)
    costs.push(`${files}, of ${formatNumber(bytes / MB)} MB`)
  }
  await db.destroy()
  const what = `files stored of one version of 10 MB, for ${READERS} retailers`
  return [
    { what, sizes: SETS.map((count) => `${formatCountOf(count, 'set')} of categories`), costs },
  ]
}

async function giveCategories(db: Db, supplierId: number, sets: number): Promise<void> {
  const retailers = db.selectFrom('retailers').select('id').where('supplierId', '=', supplierId)
  for (const [place, { id }] of (await retailers.execute()).entries()) {
    const categories = [`Shoes > Kind ${place % sets}`]
    const changes = { isAllProducts: false, categories }
    await inTransaction(db, (trx) =>
      trx.updateTable('retailers').set(changes).where('id', '=', id).execute(),
    )
  }
}

type StoredFiles = { files: number; bytes: number; waiting: number }

async function readStored(db: Db, { connectionId }: Supplier): Promise<StoredFiles> {
  const variants = await db
    .selectFrom('variants')
    .innerJoin('versions', 'versions.id', 'variants.versionId')
    .select(['variants.status', 'variants.sizeBytes'])
    .where('versions.connectionId', '=', connectionId)
    .execute()
  const ready = variants.filter(({ status }) => status === 'ready')
  const bytes = ready.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0)
  return { files: ready.length, bytes, waiting: variants.length - ready.length }
}

/** A Markdown table. */
export const formatLaws = (laws: readonly Law[]) =>
  formatTable(
    ['cost', 'small', 'medium', 'large'],
    laws.map(({ what, sizes, costs }) => [
      what,
      ...costs.map((cost, place) => `${sizes[place]}: ${cost}`),
    ]),
  )
