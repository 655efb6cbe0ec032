import { runCommand, UsageError, type Arguments } from '../../scripts/command-line'
import { formatCount, formatFileSize } from '../../src/shared/format'
import { simulate, type Outcome } from './simulate'
import { PRICES, WORKLOAD, type Prices, type Workload } from './workload'

const SIZES = [100, 1_000, 10_000, 100_000]

const HELP = `Tells what installations of 100 to 100,000 suppliers do and need a year after they began: syncs and reads
in a second, processors, rows, bytes and cost. What suppliers and retailers do is assumed; what that leaves
behind and takes was measured. docs/scale.md explains the table.

Usage: npm run simulate -- [options]

  --suppliers N     only this size
  --days N          so many days after the beginning (default 365)
  --seed N          draws other suppliers (default 1)
  --set NAME=VALUE  replaces an assumption or a price; may be repeated
  --json            prints all figures, with the rows of each table
  --help            prints this

Assumptions: ${list(WORKLOAD)}.

Prices in dollars: ${list(PRICES)}.

Exit codes: 0 success, 2 invalid arguments.`

const OPTIONS = {
  suppliers: { type: 'string' },
  days: { type: 'string' },
  seed: { type: 'string' },
  set: { type: 'string', multiple: true },
  json: { type: 'boolean' },
} as const

export function runSimulate(): Promise<void> {
  return runCommand(HELP, OPTIONS, async (args) => {
    const { workload, prices } = replace(args)
    const options = { days: readNumber(args, 'days', 365), seed: readNumber(args, 'seed', 1) }
    const sizes = 'suppliers' in args.values ? [readNumber(args, 'suppliers', 0)] : SIZES
    const outcomes = sizes.map((suppliers) => simulate(suppliers, workload, prices, options))
    console.log(args.values.json ? JSON.stringify(outcomes, null, 2) : formatOutcomes(outcomes))
    return 0
  })
}

function list(numbers: Workload | Prices): string {
  return Object.entries(numbers)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

/** @throws UsageError for a name that is no assumption, or a value that is no number */
function replace({ values }: Arguments): { workload: Workload; prices: Prices } {
  const workload: Record<string, number> = { ...WORKLOAD }
  const prices: Record<string, number> = { ...PRICES }
  for (const text of (values.set ?? []) as string[]) {
    const [name = '', value = ''] = text.split('=')
    const target = [workload, prices].find((numbers) => Object.hasOwn(numbers, name))
    const number = value === '' ? NaN : Number(value)
    if (!target) throw new UsageError(`--set: there is no assumption "${name}"`)
    if (!(number >= 0)) throw new UsageError(`--set ${name}: "${value}" is not a number from 0 on`)
    target[name] = number
  }
  return { workload: workload as Workload, prices: prices as Prices }
}

function readNumber({ values }: Arguments, name: string, byDefault: number): number {
  const number = Number(values[name] ?? byDefault)
  if (Number.isInteger(number) && number >= 1 && number <= 1_000_000) return number
  throw new UsageError(`--${name} must be a whole number from 1 to 1,000,000`)
}

const round = (value: number) =>
  value < 10 ? value.toPrecision(2).replace(/\.0$/, '') : formatCount(Math.round(value))

/** One line for each figure, with a column for each size. */
const LINES: [string, (outcome: Outcome) => string][] = [
  ['suppliers', ({ suppliers }) => formatCount(suppliers)],
  ['retailers', ({ retailers }) => formatCount(retailers)],
  ['syncs a second', ({ syncs, mostSyncs }) => `${round(syncs)}, at most ${round(mostSyncs)}`],
  ['reads a second', ({ reads, mostReads }) => `${round(reads)}, at most ${round(mostReads)}`],
  ['writing transactions a second', ({ writes }) => round(writes)],
  ['rows written in a second', ({ writtenRows }) => round(writtenRows)],
  ['cores for syncs and filtered files', ({ workerCores }) => round(workerCores)],
  ['of these, for workbooks', ({ workbookCores }) => round(workbookCores)],
  ['cores for reads', ({ webCores }) => round(webCores)],
  ['rows', ({ rows }) => formatCount(Math.round(sumOf(rows)))],
  ['database', ({ databaseBytes }) => formatFileSize(databaseBytes, 1)],
  ['files', ({ fileBytes }) => formatFileSize(fileBytes, 1)],
  ['sent in a month', ({ sentBytes }) => formatFileSize(sentBytes, 1)],
  ['requests to the bucket in a second', toBucketRate],
  ['hourly clean-up, of half an hour', ({ cleanUpShare }) => `${round(cleanUpShare * 100)} %`],
  ['nightly backup, of four hours', ({ backupShare }) => `${round(backupShare * 100)} %`],
  ['dollars a month', ({ dollars }) => formatCount(Math.round(dollars))],
  ['of these, for what is sent', ({ sentDollars }) => formatCount(Math.round(sentDollars))],
]

function toBucketRate({ bucketWrites, bucketReads }: Outcome): string {
  return round((bucketWrites + bucketReads) / (30 * 86_400))
}

const sumOf = (rows: Outcome['rows']) =>
  Object.values(rows).reduce((total, count) => total + count, 0)

/** A Markdown table. */
function formatOutcomes(outcomes: readonly Outcome[]): string {
  const lines = LINES.map(([what, format]) => [what, ...outcomes.map(format)])
  const rule = ['---', ...outcomes.map(() => '---:')]
  return lines
    .toSpliced(1, 0, rule)
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
