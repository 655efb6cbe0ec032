import { execFile, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { startAlternatingSource } from './alternating-source'
import type { Bench } from './bench'
import { atLeast, atMost, formatNumber, type Goal } from './goal'
import { compareTimes, interleave } from './interleave'
import { makeInventoryBook } from './inventory-book'
import type { Supplier } from './people'
import type { Measured, Row } from './row'
import { Skipped } from './skipped'
import { median } from './statistics'
import { timeSync, toSeconds } from './sync-rows'

const run = promisify(execFile)
const toPath = (program: string) => fileURLToPath(new URL(`programs/${program}`, import.meta.url))
const ROWS = 300_000
const FEW_ROWS = 30_000

/** Debian's, which has its packages. */
const PYTHON = '/usr/bin/python3'

type Peer = {
  name: string
  goal: Goal
  /** Reads the workbook at a URL, by way of a file, and prints the seconds. */
  command: (url: string, target: string) => [program: string, ...args: string[]]
  /** @throws Skipped */
  require?: () => void
}

/** A reader of a package of npm, by its name in `programs/read-with.ts`. */
export const withNpm = (name: string, goal: Goal): Peer => ({
  name,
  goal,
  command: (url, target) => {
    const args = ['--import', 'tsx', toPath('read-with.ts'), name, url, target]
    return [process.execPath, ...args]
  },
})

const PEERS: readonly Peer[] = [
  withNpm('yauzl and saxes', atLeast(0.25)),
  withNpm('hucre', atLeast(1)),
  {
    name: 'pandas (openpyxl)',
    goal: atLeast(4),
    command: (url, target) => [PYTHON, toPath('read-book-with-pandas.py'), url, target],
    require() {
      if (spawnSync(PYTHON, ['-c', 'import pandas, openpyxl']).status === 0) return
      throw new Skipped(
        'pandas is not installed: on Debian, the packages python3-pandas and python3-openpyxl',
      )
    },
  },
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
      const measured: (Measured | Skipped)[] = []
      for (const peer of PEERS) {
        const part = compareWithReader(peer, bench, url, supplier)
        measured.push(await part.catch(toSkipped))
      }
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
  { command, require }: Peer,
  { runs, folder }: Bench,
  url: string,
  supplier: Supplier,
): Promise<Measured> {
  require?.()
  const [program, ...args] = command(url, `${folder}/read-by-peer`)
  return toSeconds(
    await compareTimes({
      runs,
      ours: () => timeSync(supplier),
      async peer() {
        const { stdout } = await run(program, args)
        return (JSON.parse(stdout) as { seconds: number }).seconds
      },
    }),
  )
}

/** @throws what is another error */
function toSkipped(error: unknown): Skipped {
  if (error instanceof Skipped) return error
  throw error
}

async function timePreview({ rest }: Supplier, url: string): Promise<number> {
  const started = performance.now()
  const { status, text } = await rest.send('POST', '/api/connections/preview', { url })
  if (status !== 200) throw new Error(`A preview failed: ${text}`)
  return (performance.now() - started) / 1_000
}
