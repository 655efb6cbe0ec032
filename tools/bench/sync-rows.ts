import { setTimeout as sleep } from 'node:timers/promises'

import type { LatestFile } from '../../src/shared/schemas/file'
import type { Bench } from './bench'
import { atLeast, formatNumber } from './goal'
import { compareTimes, type Comparison } from './interleave'
import { writeRegionalFile } from './inventory-file'
import { requirePrograms, timeCommand } from './peers'
import { syncOnce, type SignedInRetailer, type Supplier } from './people'
import type { Measured, Row } from './row'
import { startSource, type Source } from './source'

const REGIONAL_BYTES = 73_000_000
const CATEGORY = 'Shoes > Kind 7'
const POLL_MS = 50
const READY_WITHIN_MS = 300_000

export const syncRows: readonly Row[] = [
  {
    number: 1,
    name: 'sync',
    parts: [{ what: 'sync of 1 GB: curl | tee | openssl dgst', goal: atLeast(0.7) }],
    async measure(bench) {
      const { source, supplier } = await openHuge(bench)
      return [await compareWithCopy(bench, source, () => timeSync(supplier))]
    },
  },
  {
    number: 2,
    name: 'sync-filtered',
    parts: [{ what: 'until a filtered file of it is ready: the same', goal: atLeast(0.55) }],
    async measure(bench) {
      const { source, supplier } = await openHuge(bench)
      const { addRetailer } = await bench.stage()
      const retailer = await addRetailer(supplier, 'filtered-shop', [CATEGORY])
      await awaitNewFile(retailer, undefined)
      return [await compareWithCopy(bench, source, () => timeFiltered(supplier, retailer))]
    },
  },
  {
    number: 19,
    name: 'rewrite',
    parts: [
      { what: 'sync of 73 MB in Windows-1250 with ;: curl | tee | openssl', goal: atLeast(0.25) },
    ],
    async measure(bench) {
      const write = (path: string) => writeRegionalFile(path, REGIONAL_BYTES)
      const source = await startSource(await bench.file('regional', write), bench.cleanups)
      const supplier = await (await bench.stage()).addSupplier('regional', source.url)
      return [await compareWithCopy(bench, source, () => timeSync(supplier))]
    },
  },
]

/** A supplier of the largest file. */
export function openHuge(bench: Bench): Promise<{ source: Source; supplier: Supplier }> {
  return bench.shared('huge', async () => {
    const source = await bench.source(bench.sizes.huge)
    return { source, supplier: await (await bench.stage()).addSupplier('huge', source.url) }
  })
}

/** Compares with copying the file from the same source, hashed on the way. */
async function compareWithCopy(
  { folder, runs }: Bench,
  { url }: Source,
  ours: () => Promise<number>,
): Promise<Measured> {
  requirePrograms('curl', 'tee', 'openssl')
  const target = `${folder}/copied.csv`
  const copy = `curl -sf ${url} | tee ${target} | openssl dgst -sha256 && rm ${target}`
  return toSeconds(await compareTimes({ runs, ours, peer: () => timeCommand(copy) }))
}

/** The seconds from the start of a run to the publication. */
export async function timeSync(supplier: Supplier): Promise<number> {
  return ((await syncOnce(supplier)).durationMs ?? NaN) / 1_000
}

/** The seconds from the start of a run until a retailer gets its rows of the new file. */
async function timeFiltered(supplier: Supplier, retailer: SignedInRetailer): Promise<number> {
  const before = await readFileName(retailer)
  const { startedAt } = await syncOnce(supplier)
  const readyAt = await awaitNewFile(retailer, before)
  return (readyAt - Date.parse(startedAt)) / 1_000
}

/** Waits until a retailer gets another file. @returns when that was seen */
async function awaitNewFile(
  retailer: SignedInRetailer,
  before: string | undefined,
): Promise<number> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    const fileName = await readFileName(retailer)
    if (fileName !== undefined && fileName !== before) return Date.now()
    await sleep(POLL_MS)
  }
  throw new Error('A filtered file was not built')
}

async function readFileName({ id, rest }: SignedInRetailer): Promise<string | undefined> {
  const file = (await rest.send('GET', `/api/retailers/${id}/latest-file`)).body as LatestFile
  return 'fileName' in file ? file.fileName : undefined
}

export function toSeconds({ ours, peer, ratio }: Comparison): Measured {
  return { value: ratio, ours: `${formatNumber(ours)} s`, peer: `${formatNumber(peer)} s` }
}
