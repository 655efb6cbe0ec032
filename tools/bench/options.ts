import { UsageError, type Arguments } from '../../scripts/command-line'

export type Options = {
  runs: number
  only: readonly string[]
  isQuick: boolean
  isJson: boolean
  /** Also writes the figures into the repository; with all that is measured, in full. */
  isSaved: boolean
  /** Costs at three sizes instead of the rows. */
  isGrowth: boolean
}

const DEFAULT_RUNS = 5
const MAX_RUNS = 1_000

/**
 * Reads the arguments of the command.
 * @param rows the rows that can be chosen, by name or number
 * @throws UsageError for arguments that mean nothing
 */
export function readOptions(
  { values, positionals }: Arguments,
  rows: readonly { name: string; number: number }[],
): Options {
  if (positionals.length > 0) throw new UsageError(`Unknown argument: ${positionals.join(' ')}`)
  const { runs = `${DEFAULT_RUNS}`, only = '', row = '' } = values
  const options = {
    runs: readRuns(String(runs)),
    only: [...readList(only), ...readList(row)].map((wanted) => findName(wanted, rows)),
    isQuick: values.quick === true,
    isJson: values.json === true,
    isSaved: values.save === true,
    isGrowth: values.growth === true,
  }
  if (options.isSaved && (options.only.length > 0 || options.isGrowth || options.isQuick)) {
    throw new UsageError('--save is for a whole run: without --only, --row, --growth and --quick')
  }
  return options
}

function readRuns(text: string): number {
  const runs = Number(text)
  if (Number.isInteger(runs) && runs >= 1 && runs <= MAX_RUNS) return runs
  throw new UsageError(`--runs must be a whole number from 1 to ${MAX_RUNS}, not ${text}`)
}

const readList = (text: string | boolean) =>
  String(text)
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function findName(wanted: string, rows: readonly { name: string; number: number }[]): string {
  const found = rows.find(({ name, number }) => wanted === name || wanted === `${number}`)
  if (found) return found.name
  const known = rows.map(({ name, number }) => `${number} ${name}`).join(', ')
  throw new UsageError(`There is no row ${wanted}. Rows: ${known}`)
}
