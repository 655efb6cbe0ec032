import type { Bench } from './bench'
import type { Growth, Law } from './growth'
import type { Measured, Row } from './row'
import { Skipped } from './skipped'
import { toLines, type Line, type Missing } from './table'

/** What is measured in a run. */
export type Choice = { rows: readonly Row[]; growths: readonly Growth[] }

/** Why a row or a growth has no figures. */
export type Problem = { name: string; result: Missing; reason: string }

export type Figures = { lines: Line[]; laws: Law[]; problems: Problem[] }

/**
 * Measures one thing after the other. One that cannot be measured is a problem, and does not keep the others
 * from being measured.
 * @param tell is told what is measured next, and where it failed
 */
export async function measureAll(
  { rows, growths }: Choice,
  bench: Bench,
  tell: (line: string) => void,
): Promise<Figures> {
  const figures: Figures = { lines: [], laws: [], problems: [] }
  const attempt = async <T>(name: string, measure: () => Promise<T[]>): Promise<T[] | Missing> => {
    try {
      if (bench.cleanups.hasEnded()) throw new Skipped('the run was stopped')
      tell(`${name} …`)
      return await measure()
    } catch (error) {
      const { message, stack = message } = error as Error
      const result = error instanceof Skipped ? 'skipped' : 'failed'
      if (result === 'failed') tell(stack)
      figures.problems.push({ name, result, reason: message })
      return result
    }
  }
  for (const row of rows) {
    const name = `${row.number} ${row.name}`
    const measured = await attempt(name, async () => requireAll(row, await row.measure(bench)))
    figures.lines.push(...toLines(row, measured))
    for (const part of measured) {
      if (!(part instanceof Skipped)) continue
      figures.problems.push({ name, result: 'skipped', reason: part.message })
    }
  }
  for (const { name, measure } of growths) {
    const laws = await attempt(name, () => measure(bench))
    if (typeof laws !== 'string') figures.laws.push(...laws)
  }
  return figures
}

/** @throws Error unless there is a number for each part of the row that is not skipped */
function requireAll({ parts }: Row, measured: (Measured | Skipped)[]): (Measured | Skipped)[] {
  const missing = parts.filter((_, place) => {
    const part = measured[place]
    return !(part instanceof Skipped) && !Number.isFinite(part?.value)
  })
  if (missing.length === 0) return measured
  throw new Error(`There is no figure for: ${missing.map(({ what }) => what).join(', ')}`)
}
