import type { Deps } from './deps'

/**
 * Asks a worker to claim due work now instead of at its next tick. Losing the request is harmless:
 * every tick, once a second, finds the same work.
 */
export async function wakeScheduler(deps: Deps): Promise<void> {
  await deps.queue.add({ job: 'claim-due-work', key: 'wake', payload: {} })
}
