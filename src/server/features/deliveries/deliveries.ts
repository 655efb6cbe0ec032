import type { Deps } from '../../domain/deps'
import { findDueDelivery } from './deliveries.queries'

const JOBS = { mail: 'send-mail', webhook: 'send-webhooks' } as const

/** Queues the jobs that deliver what is due. */
export async function queueWaitingDeliveries(deps: Deps): Promise<void> {
  for (const channel of ['mail', 'webhook'] as const) {
    if (channel === 'mail' && !deps.mail) continue
    if (await findDueDelivery(deps.db, channel, deps.clock.now())) {
      await deps.queue.add({ job: JOBS[channel], key: 'waiting', payload: {} })
    }
  }
}
