import { join } from 'node:path'

import type { Bench } from './bench'
import { formatNumber, atLeast } from './goal'
import { compareTimes, type Comparison } from './interleave'
import { writeCanonicalFile, writeRegionalFile } from './inventory-file'
import { requirePrograms, timeCommand } from './peers'
import type { Measured, Row } from './row'
import { startSource, type Source } from './source'
import { syncOnce, type Supplier } from './stage'

const REGIONAL_BYTES = 73_000_000

export const syncRows: readonly Row[] = [
  {
    number: 1,
    name: 'sync',
    parts: [{ what: 'sync of 1 GB: curl | tee | openssl dgst', goal: atLeast(0.7) }],
    async measure(bench) {
      const file = await writeHugeFile(bench)
      return [toSeconds(await compareWithCopy(bench, 'canonical', file))]
    },
  },
  {
    number: 19,
    name: 'rewrite',
    parts: [
      { what: 'sync of 73 MB in Windows-1250 with ;: curl | tee | openssl', goal: atLeast(0.25) },
    ],
    async measure(bench) {
      const file = join(bench.folder, 'regional.csv')
      await writeRegionalFile(file, REGIONAL_BYTES)
      return [toSeconds(await compareWithCopy(bench, 'regional', file))]
    },
  },
]

export async function writeHugeFile({ folder, sizes }: Bench): Promise<string> {
  const file = join(folder, 'canonical.csv')
  await writeCanonicalFile(file, sizes.huge)
  return file
}

/** Compares syncs of a file with copying it from the same source, hashed on the way. */
async function compareWithCopy(bench: Bench, name: string, file: string): Promise<Comparison> {
  requirePrograms('curl', 'tee', 'openssl')
  const stage = await bench.stage()
  const source = await startSource(file, bench.cleanups)
  const supplier = await stage.addSupplier(name, source.url)
  return compareTimes({
    runs: bench.runs,
    ours: () => timeSync(supplier),
    peer: () => copy(bench, source),
  })
}

/** The seconds from the start of a run to the publication. */
async function timeSync(supplier: Supplier): Promise<number> {
  const { durationMs, outcome } = await syncOnce(supplier)
  if (outcome !== 'published') throw new Error(`A sync was ${outcome}`)
  return (durationMs ?? NaN) / 1_000
}

export function copy({ folder }: Bench, { url }: Source): Promise<number> {
  const target = join(folder, 'copied.csv')
  return timeCommand(`curl -sf ${url} | tee ${target} | openssl dgst -sha256; rm ${target}`)
}

export function toSeconds({ ours, peer, ratio }: Comparison): Measured {
  return { value: ratio, ours: `${formatNumber(ours)} s`, peer: `${formatNumber(peer)} s` }
}
