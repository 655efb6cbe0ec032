import { median } from './statistics'

/**
 * Takes several measurements in turn: A B A B …, so that what else happens on the machine meets all
 * alike.
 * @returns the values of each, in the order of `measurements`
 * @throws Error when something was not measured, but gave NaN
 */
export async function interleave(
  runs: number,
  measurements: readonly (() => Promise<number>)[],
): Promise<number[][]> {
  const values: number[][] = measurements.map(() => [])
  for (let run = 0; run < runs; run += 1) {
    for (const [index, measure] of measurements.entries()) {
      const value = await measure()
      if (!Number.isFinite(value)) throw new Error(`A measurement gave ${value}`)
      values[index]?.push(value)
    }
  }
  return values
}

/** Medians of ours and a peer's, and how ours compares: above 1, ours is better. */
export type Comparison = { ours: number; peer: number; ratio: number }

type Pair = { runs: number; ours: () => Promise<number>; peer: () => Promise<number> }

/** Compares durations: less is better. */
export async function compareTimes(pair: Pair): Promise<Comparison> {
  const { ours, peer } = await compareMedians(pair)
  return { ours, peer, ratio: peer / ours }
}

/** Compares rates: more is better. */
export async function compareRates(pair: Pair): Promise<Comparison> {
  const { ours, peer } = await compareMedians(pair)
  return { ours, peer, ratio: ours / peer }
}

async function compareMedians({ runs, ours, peer }: Pair) {
  const [own = [], others = []] = await interleave(runs, [ours, peer])
  return { ours: median(own), peer: median(others) }
}
