import { formatCountOf } from '../../../shared/format'
import type { Overview } from '../../../shared/schemas/operations'

/** Where background work is done: `Worker in the web process`, `2 worker processes`. */
export function describeWorkers({ workers: { isInline, processCount } }: Overview): string {
  if (processCount !== null)
    return formatCountOf(processCount, 'worker process', 'worker processes')
  return isInline ? 'Worker in the web process' : 'Separate workers'
}
