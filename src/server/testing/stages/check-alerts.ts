import type { Deps } from '../../domain/deps'
import { alertCheckTask } from '../../features/operations/monitoring/alert-check-task'

/** Looks for what people are told of, as the cron job does every five minutes; returns its summary. */
export function checkAlerts(deps: Deps): Promise<string> {
  const { signal } = new AbortController()
  return alertCheckTask.run(deps, { leaseToken: 'alerts', signal, report: async () => undefined })
}
