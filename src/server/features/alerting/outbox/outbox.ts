import type { Deps } from '../../../domain/deps'
import { CHANNELS, hasDueMessage, hasWaitingMessage, type Channel } from './outbox.queries'

const JOBS = {
  mail: 'send-mail',
  webhook: 'send-webhooks',
  'slow-webhook': 'send-slow-webhooks',
} as const

/** Queues the jobs that deliver what is due. */
export async function queueWaitingMessages(deps: Deps): Promise<void> {
  // Nearly always nothing waits, and what of it may be sent takes longer to find out.
  if (!(await hasWaitingMessage(deps.db, deps.clock.now()))) return
  for (const channel of CHANNELS) await queueDueMessages(deps, channel)
}

/** Queues one more run of the job that delivers what is due, of which a process has a few at once. */
export async function queueDueMessages(deps: Deps, channel: Channel): Promise<void> {
  if (channel === 'mail' && !deps.mail) return
  if (await hasDueMessage(deps.db, channel, deps.clock.now())) {
    await deps.queue.add({ job: JOBS[channel], key: 'waiting', payload: {} })
  }
}
