import type { Deps } from '../../../domain/deps'
import { CHANNELS, hasDueDelivery, type Channel } from './deliveries.queries'

const JOBS = {
  mail: 'send-mail',
  webhook: 'send-webhooks',
  'slow-webhook': 'send-slow-webhooks',
} as const

/** Queues the jobs that deliver what is due. */
export async function queueWaitingDeliveries(deps: Deps): Promise<void> {
  for (const channel of CHANNELS) await queueDueDeliveries(deps, channel)
}

/** Queues one more run of the job that delivers what is due, of which a process has a few at once. */
export async function queueDueDeliveries(deps: Deps, channel: Channel): Promise<void> {
  if (channel === 'mail' && !deps.mail) return
  if (await hasDueDelivery(deps.db, channel, deps.clock.now())) {
    await deps.queue.add({ job: JOBS[channel], key: 'waiting', payload: {} })
  }
}
