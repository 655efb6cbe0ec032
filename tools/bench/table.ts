import { formatGoal, formatValue, isReached } from './goal'
import type { Measured, Part, Row } from './row'
import { Skipped } from './skipped'

/** What comes of a row without figures. */
export type Missing = 'failed' | 'skipped'

/** A line of the table, as `--json` prints it. */
export type Line = {
  row: number
  name: string
  what: string
  ours: string
  peer: string
  ratio: string
  goal: string
  result: 'pass' | 'short' | Missing
}

/** @param measured the figures of all parts of the row, if there are any */
export function toLines(
  { number, name, parts }: Pick<Row, 'number' | 'name' | 'parts'>,
  measured: readonly (Measured | Skipped)[] | Missing,
): Line[] {
  return parts.map((part, place) => ({
    row: number,
    name,
    what: part.what,
    ...describe(part, typeof measured === 'string' ? measured : (measured[place] ?? 'failed')),
  }))
}

function describe({ goal }: Part, measured: Measured | Skipped | Missing) {
  const none = { ours: '', peer: '', ratio: '', goal: formatGoal(goal) }
  if (measured instanceof Skipped) return { ...none, result: 'skipped' as const }
  if (typeof measured === 'string') return { ...none, result: measured }
  const { ours, peer = '', value } = measured
  const ratio = goal.unit === '×' ? formatValue(value, goal) : ''
  const result: Line['result'] = isReached(goal, value) ? 'pass' : 'short'
  return { ...none, ours, peer, ratio, result }
}

/** Of the rule below the head. */
const MIN_WIDTH = 3

const HEAD = ['#', 'what', 'ours', 'peer', 'ratio', 'goal', 'result']

/** A Markdown table of lines. */
export const formatLines = (lines: readonly Line[]) =>
  formatTable(
    HEAD,
    lines.map(({ row, what, ours, peer, ratio, goal, result }) => [
      `${row}`,
      what,
      ours,
      peer,
      ratio,
      goal,
      result,
    ]),
  )

/** A Markdown table, whose columns are aligned as the formatter of this repository aligns them. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) =>
    Math.max(MIN_WIDTH, ...lines.map((cells) => (cells[column] ?? '').length)),
  )
  const format = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  const [first = [], ...others] = lines
  return [format(first), rule, ...others.map(format)].join('\n')
}
