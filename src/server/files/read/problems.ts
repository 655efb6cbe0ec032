import type { GuessedSetting } from '../../../shared/automatic-reading'
import type { FileProblem } from '../../../shared/schemas/file'

const MAX_KINDS = 20

/** Collects problems for the supplier: one entry for each message, with its first line and count. */
export interface ProblemLog {
  /**
   * @param line 1-based line of the source; null for the file as a whole
   * @param details the number of occurrences, of which `line` is the first; for a guess, the setting
   * by which the supplier can decide it
   */
  add(line: number | null, message: string, details?: ProblemDetails): void
  list(): FileProblem[]
}

interface ProblemDetails {
  count?: number
  setting?: GuessedSetting
}

export function createProblemLog(): ProblemLog {
  const problems = new Map<string, FileProblem>()
  return {
    add(line, message, { count = 1, setting } = {}) {
      const known = problems.get(message)
      if (known) known.count += count
      else if (problems.size < MAX_KINDS) {
        problems.set(message, { line, message, count, ...(setting && { setting }) })
      }
    },
    list: () => [...problems.values()],
  }
}
