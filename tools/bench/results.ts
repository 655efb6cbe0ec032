import { arch, cpus, platform, totalmem } from 'node:os'

import type { Bench } from './bench'
import { formatLaws } from './growth'
import type { Figures, Problem } from './measure-all'
import type { Sources } from './repository'
import { formatLines } from './table'

const GIB = 1024 ** 3

/** Where figures are from. */
export type Origin = Pick<Bench, 'runs' | 'isQuick'> & { sources: Sources | undefined; date: Date }

/** What was measured, and where, in Markdown. */
export function formatFigures({ lines, laws }: Figures, origin: Origin): string {
  return [
    describeOrigin(origin),
    ...(lines.length > 0 ? [formatLines(lines)] : []),
    ...(laws.length > 0 ? ['## Growth', formatLaws(laws)] : []),
  ].join('\n\n')
}

/** The whole of RESULTS.md. */
export const formatResults = (
  figures: Figures,
  origin: Origin,
) => `# Last figures of \`npm run bench\`

\`npm run bench -- --save\` has written this file: one run of all rows, on one commit.
[docs/performance.md](../../docs/performance.md) says how they are measured, and what limits those that are
short. Ratios above 1 mean that ours is better, except where the goal is an upper limit.

${formatFigures(figures, origin)}
`

function describeOrigin({ sources, date, runs, isQuick }: Origin): string {
  const [cpu] = cpus()
  const cores = `${cpus().length} × ${cpu?.model.trim() ?? 'an unknown processor'}`
  const memory = `${Math.round(totalmem() / GIB)} GiB`
  const commit = sources
    ? `\`${sources.commit}\`${sources.isChanged ? ', changed' : ''}`
    : 'unknown'
  return [
    `- Commit: ${commit}`,
    `- Date: ${date.toISOString().slice(0, 10)}`,
    `- Machine: ${cores}, ${memory}, ${platform()} ${arch()}`,
    `- Node: ${process.version}`,
    `- Measured: medians of interleaved runs, ${runs} of each${isQuick ? ', with smaller files' : ''}`,
  ].join('\n')
}

/** One line for each thing that has no figures. */
export const formatProblems = (problems: readonly Problem[]) =>
  problems.map(({ name, result, reason }) => `${name} ${result}: ${reason}`).join('\n')
