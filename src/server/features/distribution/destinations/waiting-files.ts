import type { Deps } from '../../../domain/deps'
import { hasDueDestination } from './destinations.queries'
import { hasDueDispatch, hasWaitingDispatch, LANES, type Lane } from './dispatches.queries'

const JOBS = { quick: 'send-files', slow: 'send-slow-files' } as const

/** Queues the jobs that look at destinations, and send files that are due. */
export async function queueWaitingFiles(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  if (await hasDueDestination(deps.db, now)) {
    await deps.queue.add({ job: 'check-destinations', key: 'waiting', payload: {} })
  }
  await queueFilesToSend(deps)
}

/** Queues the jobs that send files that are due. */
export async function queueFilesToSend(deps: Deps): Promise<void> {
  // Nearly always nothing waits, and what of it may be sent takes longer to find out.
  if (!(await hasWaitingDispatch(deps.db, deps.clock.now()))) return
  for (const lane of LANES) await queueDueFiles(deps, lane)
}

/** Queues one more run of the job that sends what is due, of which a process has a few at once. */
export async function queueDueFiles(deps: Deps, lane: Lane): Promise<void> {
  if (await hasDueDispatch(deps.db, lane, deps.clock.now())) {
    await deps.queue.add({ job: JOBS[lane], key: 'waiting', payload: {} })
  }
}
