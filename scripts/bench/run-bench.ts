import { arch, cpus, platform, totalmem } from 'node:os'

import { runCommand } from '../command-line'
import { openBench, type Bench } from './bench'
import { createCleanups, stopOnSignal } from './cleanups'
import { formatLaws, measureGrowth } from './growth'
import { readOptions, type Options } from './options'
import { Skipped, type Row } from './row'
import { rows } from './rows'
import { formatTable, toLines, type Line } from './table'

const GIB = 1024 ** 3

const HELP = `Measures the built product beside its peers, and prints a table: docs/performance.md.

Usage: npm run bench -- [options]

  --only ROW,…   only these rows, by name or number; --row is the same
  --runs N       how often each measurement is taken, in turn with its peer's (default 5)
  --quick        smaller files and shorter runs, for a first look
  --json         prints the lines as JSON
  --growth       instead of the rows, what costs at three sizes
  --help         prints this

Rows: ${rows.map(({ number, name }) => `${number} ${name}`).join(', ')}

All rows take about 15 minutes, and 10 GB in the temporary folder. Nothing else should run
meanwhile. Peers that are not installed are named, and their rows skipped.

Exit codes: 0 whether goals are reached or not, 1 a measurement failed, 2 invalid arguments.`

const OPTIONS = {
  only: { type: 'string' },
  row: { type: 'string' },
  runs: { type: 'string' },
  quick: { type: 'boolean' },
  json: { type: 'boolean' },
  growth: { type: 'boolean' },
} as const

export function runBench(): Promise<void> {
  return runCommand(HELP, OPTIONS, async (args) => {
    const options = readOptions(args, rows)
    const cleanups = createCleanups()
    stopOnSignal(cleanups)
    try {
      const bench = await openBench(options, cleanups)
      return await (options.isGrowth ? measureLaws(bench, options) : measureRows(bench, options))
    } finally {
      await cleanups.run()
    }
  })
}

async function measureRows(bench: Bench, { only, isJson }: Options): Promise<number> {
  const chosen = rows.filter(({ name }) => only.length === 0 || only.includes(name))
  const lines: Line[] = []
  let failures = 0
  for (const row of chosen) {
    if (bench.cleanups.hasEnded()) break
    console.error(`${row.number} ${row.name} …`)
    const { measured, hasFailed } = await measureRow(row, bench)
    if (hasFailed) failures += 1
    lines.push(...toLines({ row, measured }))
  }
  if (isJson) console.log(JSON.stringify(lines, null, 2))
  else console.log(`${describeMachine(bench)}\n\n${formatTable(lines)}`)
  return failures > 0 ? 1 : 0
}

async function measureLaws(bench: Bench, { isJson }: Options): Promise<number> {
  const laws = await measureGrowth(bench)
  if (isJson) console.log(JSON.stringify(laws, null, 2))
  else console.log(`${describeMachine(bench)}\n\n${formatLaws(laws)}`)
  return 0
}

/** A row that cannot be measured does not keep the others from being measured. */
async function measureRow(row: Row, bench: Bench) {
  try {
    return { measured: await row.measure(bench), hasFailed: false }
  } catch (error) {
    const { message } = error as Error
    const isExpected = error instanceof Skipped
    if (!isExpected) console.error(error)
    const skipped = isExpected ? message : `failed, ${message}`
    return { measured: row.parts.map(() => ({ skipped })), hasFailed: !isExpected }
  }
}

function describeMachine({ runs, isQuick }: Bench): string {
  const [cpu] = cpus()
  const cores = `${cpus().length} × ${cpu?.model.trim() ?? 'an unknown processor'}`
  const memory = `${Math.round(totalmem() / GIB)} GiB`
  const measured = `medians of ${runs} interleaved runs${isQuick ? ', smaller files' : ''}`
  const today = new Date().toISOString().slice(0, 10)
  return `${today}, Node ${process.version}, ${platform()} ${arch()}, ${cores}, ${memory}: ${measured}`
}
