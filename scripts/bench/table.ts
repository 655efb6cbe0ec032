import { formatGoal, formatValue, isReached } from './goal'
import type { Measured, Part, Row } from './row'

/** A measured row. */
export type Outcome = { row: Pick<Row, 'number' | 'name' | 'parts'>; measured: readonly Measured[] }

/** A line of the table, as `--json` prints it. */
export type Line = {
  row: number
  name: string
  what: string
  ours: string
  peer: string
  ratio: string
  goal: string
  /** `pass`, `short` or `skipped: …`. */
  result: string
}

export function toLines({ row: { number, name, parts }, measured }: Outcome): Line[] {
  return parts.map((part, index) => ({
    row: number,
    name,
    what: part.what,
    ...describe(part, measured[index] ?? { skipped: 'not measured' }),
  }))
}

function describe({ goal }: Part, measured: Measured) {
  const none = { ours: '', peer: '', ratio: '', goal: formatGoal(goal) }
  if ('skipped' in measured) return { ...none, result: `skipped: ${measured.skipped}` }
  const { ours, peer = '', value } = measured
  const ratio = goal.unit === '×' ? formatValue(value, goal) : ''
  return { ...none, ours, peer, ratio, result: isReached(goal, value) ? 'pass' : 'short' }
}

const HEAD = ['#', 'what', 'ours', 'peer', 'ratio', 'goal', 'result']

/** A Markdown table, whose columns are aligned as well. */
export function formatTable(lines: readonly Line[]): string {
  const rows = lines.map(({ row, what, ours, peer, ratio, goal, result }) =>
    [`${row}`, what, ours, peer, ratio, goal, result].map((cell) => cell.replaceAll('|', '\\|')),
  )
  const widths = HEAD.map((title, column) =>
    Math.max(...[HEAD, ...rows].map((cells) => (cells[column] ?? title).length)),
  )
  const format = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [format(HEAD), rule, ...rows.map(format)].join('\n')
}
