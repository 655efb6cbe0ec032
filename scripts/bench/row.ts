import type { Bench } from './bench'
import type { Goal } from './goal'

/** One figure of a row, and its goal. */
export type Part = { what: string; goal: Goal }

/** What was measured for a part. */
export type Measured =
  /** `value` is held against the goal; `ours` and `peer` are what it was computed from. */
  { value: number; ours: string; peer?: string } | { skipped: string }

/** A row of docs/performance.md. */
export type Row = {
  number: number
  /** For `--only`. */
  name: string
  parts: readonly Part[]
  /** Measures all parts, in their order. @throws Skipped when that is not possible here */
  measure(bench: Bench): Promise<Measured[]>
}

/** A row or part that cannot be measured here; the message says why. */
export class Skipped extends Error {}
