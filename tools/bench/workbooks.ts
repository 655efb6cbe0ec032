import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { startAlternatingSource } from './alternating-source'
import type { Bench } from './bench'
import { atLeast, atMost, formatNumber } from './goal'
import { compareTimes, interleave } from './interleave'
import { makeInventoryBook } from './inventory-book'
import type { Supplier } from './people'
import type { Measured, Row } from './row'
import { median } from './statistics'
import { timeSync, toSeconds } from './sync-rows'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('programs/read-with.ts', import.meta.url))
const ROWS = 300_000
const FEW_ROWS = 30_000

const PEERS = [
  { name: 'yauzl and saxes', goal: atLeast(0.25) },
  { name: 'hucre', goal: atLeast(1) },
]

export const workbookRows: readonly Row[] = [
  {
    number: 24,
    name: 'workbook',
    parts: PEERS.map(({ name, goal }) => ({
      what: `sync of a workbook of 300,000 rows: reading it with ${name}`,
      goal,
    })),
    async measure(bench) {
      const { url, supplier } = await openBooks(bench)
      const measured: Measured[] = []
      for (const { name } of PEERS)
        measured.push(await compareWithReader(name, bench, url, supplier))
      return measured
    },
  },
  {
    number: 25,
    name: 'workbook-preview',
    parts: [{ what: 'preview of a workbook of 300,000 rows at its source', goal: atMost(2, 's') }],
    async measure(bench) {
      const { url, supplier } = await openBooks(bench)
      const [times = []] = await interleave(bench.runs, [() => timePreview(supplier, url)])
      const seconds = median(times)
      return [{ value: seconds, ours: `${formatNumber(seconds)} s` }]
    },
  },
]

/** A supplier whose source has another of two workbooks for each sync: what is the same is not published. */
const openBooks = (bench: Bench): Promise<{ url: string; supplier: Supplier }> =>
  bench.shared('workbooks', async () => {
    const rows = bench.isQuick ? FEW_ROWS : ROWS
    const books = ['one', 'another'].map((version) => makeInventoryBook(rows, version))
    const { url, changingUrl } = await startAlternatingSource(bench, books)
    const { addSupplier } = await bench.stage()
    return { url, supplier: await addSupplier('workbooks', changingUrl) }
  })

/** Compares syncs with a program that receives the same file and only counts its rows. */
export async function compareWithReader(
  name: string,
  { runs, folder }: Bench,
  url: string,
  supplier: Supplier,
): Promise<Measured> {
  const args = ['--import', 'tsx', PROGRAM, name, url, `${folder}/read-by-peer`]
  return toSeconds(
    await compareTimes({
      runs,
      ours: () => timeSync(supplier),
      async peer() {
        const { stdout } = await run(process.execPath, args)
        return (JSON.parse(stdout) as { seconds: number }).seconds
      },
    }),
  )
}

async function timePreview({ rest }: Supplier, url: string): Promise<number> {
  const started = performance.now()
  const { status, text } = await rest.send('POST', '/api/connections/preview', { url })
  if (status !== 200) throw new Error(`A preview failed: ${text}`)
  return (performance.now() - started) / 1_000
}
