import type { Bench } from './bench'
import type { Goal } from './goal'
import type { Skipped } from './skipped'

/** One figure of a row, and its goal. */
export type Part = { what: string; goal: Goal }

/** `value` is held against the goal of a part; `ours` and `peer` are what it was computed from. */
export type Measured = { value: number; ours: string; peer?: string }

/** A row of docs/performance.md. */
export type Row = {
  number: number
  /** For `--only`. */
  name: string
  parts: readonly Part[]
  /**
   * Measures all parts, in their order; those for which this machine lacks what is needed are skipped.
   * @throws Skipped when it lacks that for all of them
   */
  measure(bench: Bench): Promise<(Measured | Skipped)[]>
}
