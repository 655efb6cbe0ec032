import type { Deps } from '../../../domain/deps'
import { hasDueDigest } from '../../alerting/digests/digests.queries'

/** Queues the job that makes digests if one is due that can be sent. */
export async function queueDueDigests(deps: Deps): Promise<void> {
  if (!deps.mail) return
  if (await hasDueDigest(deps.db, deps.clock.now())) {
    await deps.queue.add({ job: 'make-digests', key: 'waiting', payload: {} })
  }
}
