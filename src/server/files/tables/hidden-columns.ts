import type { ProblemLog } from '../read/problems'
import { MAX_COLUMNS } from './workbook'

/** Counts hidden columns. Ranges may be many and overlap. */
export interface HiddenColumns {
  /** @param first from 0 on */
  add(first: number, last: number): void
  report(width: number, problems: ProblemLog): void
}

export function createHiddenColumns(): HiddenColumns {
  /** For each column, how many more ranges begin than have ended before it. */
  const changes = new Int32Array(MAX_COLUMNS + 1)
  return {
    add(first, last) {
      if (!(first >= 0 && first <= last && first < MAX_COLUMNS)) return
      changes[first]!++
      changes[Math.min(last, MAX_COLUMNS - 1) + 1]!--
    },
    report(width, problems) {
      let ranges = 0
      let hidden = 0
      for (let column = 0; column < width; column++) {
        ranges += changes[column] as number
        if (ranges > 0) hidden++
      }
      if (hidden > 0)
        problems.add(null, 'Hidden columns of the sheet were read too', { count: hidden })
    },
  }
}
