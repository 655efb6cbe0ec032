import { runCommand } from '../../scripts/command-line'
import { ensurePeers } from '../../scripts/system-programs.mjs'
import { openBench, type Bench } from './bench'
import { createCleanups, stopOnSignal } from './cleanups'
import { growths } from './growth'
import { measureAll, type Choice } from './measure-all'
import { readOptions, type Options } from './options'
import { openRepository, RESULTS, type Repository, type Sources } from './repository'
import { formatFigures, formatProblems, formatResults } from './results'
import { rows } from './rows'

const HELP = `Measures the built product beside its peers, and prints tables: docs/performance.md.

Usage: npm run bench -- [options]

  --only ROW,…   only these rows, by name or number; --row is the same
  --growth       only what costs at three sizes
  --runs N       how often each measurement is taken, in turn with its peer's (default 5)
  --quick        smaller files and shorter runs, for a first look
  --json         prints JSON
  --save         also writes ${RESULTS}, if everything was measured on one commit
  --help         prints this

Rows: ${rows.map(({ number, name }) => `${number} ${name}`).join(', ')}

All of it takes about 20 minutes, and 30 GB in the temporary folder. Nothing else should run
meanwhile. What cannot be measured is named at the end, and the rest is measured.

Exit codes: 0 whether goals are reached or not, 1 a measurement failed or was not saved, 2 invalid
arguments.`

const OPTIONS = {
  only: { type: 'string' },
  row: { type: 'string' },
  growth: { type: 'boolean' },
  runs: { type: 'string' },
  quick: { type: 'boolean' },
  json: { type: 'boolean' },
  save: { type: 'boolean' },
} as const

export function runBench(): Promise<void> {
  return runCommand(HELP, OPTIONS, async (args) => {
    const options = readOptions(args, rows)
    const cleanups = createCleanups()
    stopOnSignal(cleanups)
    try {
      const missing = ensurePeers().flatMap(({ problem }) => problem || [])
      const bench = await openBench(options, cleanups)
      const repository = openRepository('.')
      return await measureAndTell(choose(options), bench, { ...options, missing, repository })
    } finally {
      await cleanups.run()
    }
  })
}

function choose({ only, isGrowth }: Options): Choice {
  const isWhole = only.length === 0 && !isGrowth
  return {
    rows: isWhole ? rows : rows.filter(({ name }) => only.includes(name)),
    growths: isWhole || isGrowth ? growths : [],
  }
}

type Report = Pick<Options, 'isJson' | 'isSaved'> & {
  /** Why programs are missing beside which the product is measured. */
  missing: readonly string[]
  repository: Repository
}

/**
 * Measures what is chosen, and prints the figures; saves them only if they are those of a whole run on one
 * commit, which is looked at before the run as well.
 * @returns the exit code
 */
export async function measureAndTell(
  choice: Choice,
  bench: Bench,
  { isJson, isSaved, missing, repository: { readSources, writeResults } }: Report,
): Promise<number> {
  const sources = await readSources()
  const isRefused = (reasons: readonly string[]) => {
    if (!isSaved || reasons.length === 0) return false
    console.error(`${RESULTS} is left as it is: ${reasons.join('; ')}.`)
    return true
  }
  if (isRefused([...missing, ...findChanges(sources, sources)])) return 1
  const figures = await measureAll(choice, bench, (line) => console.error(line))
  const origin = { sources, date: new Date(), runs: bench.runs, isQuick: bench.isQuick }
  console.log(isJson ? JSON.stringify(figures, null, 2) : formatFigures(figures, origin))
  const { problems } = figures
  if (problems.length > 0) console.error(`\n${formatProblems(problems)}`)
  const unmeasured = problems.map(({ name }) => `${name} was not measured`)
  if (isRefused([...unmeasured, ...findChanges(sources, await readSources())])) return 1
  if (isSaved) await writeResults(formatResults(figures, origin))
  return problems.some(({ result }) => result === 'failed') ? 1 : 0
}

/** Why figures are not those of one commit, if they are not. */
function findChanges(before: Sources | undefined, after: Sources | undefined): string[] {
  if (!before || !after) return ['git knows of no commit that is checked out']
  if (before.isChanged || after.isChanged) return ['files differ from the commit']
  return before.commit === after.commit ? [] : ['another commit was checked out meanwhile']
}
