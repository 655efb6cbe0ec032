import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import type { Bench } from './bench'
import { atLeast } from './goal'
import { compareTimes } from './interleave'
import { syncOnce, type Supplier } from './people'
import type { Measured, Row } from './row'
import type { Source } from './source'
import { toSeconds } from './sync-rows'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('programs/parse-with.ts', import.meta.url))

const PEERS = [
  { name: 'udsv', goal: atLeast(2) },
  { name: 'papaparse', goal: atLeast(4) },
  { name: 'csv-parse', goal: atLeast(10) },
]

export const parserRows: readonly Row[] = [
  {
    number: 3,
    name: 'parsers',
    parts: PEERS.map(({ name, goal }) => ({ what: `sync of 100 MB: the same with ${name}`, goal })),
    async measure(bench) {
      const source = await bench.source(bench.sizes.large)
      const supplier = await (await bench.stage()).addSupplier('parsed', source.url)
      const measured: Measured[] = []
      for (const { name } of PEERS) measured.push(await compareWith(name, bench, source, supplier))
      return measured
    },
  },
]

async function compareWith(
  name: string,
  { runs, folder }: Bench,
  { url }: Source,
  supplier: Supplier,
): Promise<Measured> {
  const args = ['--import', 'tsx', PROGRAM, name, url, `${folder}/parsed.csv`]
  let rowCount = Infinity
  return toSeconds(
    await compareTimes({
      runs,
      async ours() {
        const { durationMs, rows } = await syncOnce(supplier)
        rowCount = rows ?? Infinity
        return (durationMs ?? NaN) / 1_000
      },
      async peer() {
        const { stdout } = await run(process.execPath, args)
        const { seconds, rows } = JSON.parse(stdout) as { seconds: number; rows: number }
        // Some count the header as well.
        if (rows < rowCount) throw new Error(`${name} has read ${rows} of ${rowCount} rows`)
        return seconds
      },
    }),
  )
}
