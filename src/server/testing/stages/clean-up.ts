import type { Deps } from '../../domain/deps'
import { cleanUpTask } from '../../features/operations/maintenance/clean-up-task'

/** Cleans up as the cron job does every hour; returns its summary. */
export function cleanUp(deps: Deps): Promise<string> {
  const { signal } = new AbortController()
  return cleanUpTask.run(deps, { leaseToken: 'clean-up', signal, report: async () => undefined })
}
