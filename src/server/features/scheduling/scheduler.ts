import { allJobs } from '../../all-jobs'
import type { Deps } from '../../domain/deps'
import { LEASE_MS } from '../../domain/lease'
import { claimDueWork } from './claim-due-work'
import { rescheduleAfterClockChange } from './clock-change'

const TICK_MS = 1_000
/** Clocks are set right by a little all the time. */
const CLOCK_TOLERANCE_MS = 60_000
/** How long running work may go on when the process is asked to stop. */
const GRACE_MS = 20_000
/** By then the leases of runs that died with the last process are over. */
const SECOND_CLEANING_AFTER_MS = LEASE_MS + 10_000

/**
 * Lets this process do background work: one tick a second takes what is due from the database, by
 * lease, so that any number of processes may tick at once. What dead processes left is removed now.
 * @returns a function that stops the ticking and lets what runs finish, within 20 seconds
 */
export function startWorking(deps: Deps): () => Promise<void> {
  deps.queue.start(allJobs.map((job) => job.toHandler(deps)))
  const clean = () => void deps.queue.add({ job: 'remove-leftovers', key: 'clean', payload: {} })
  clean()
  const secondCleaning = setTimeout(clean, SECOND_CLEANING_AFTER_MS)
  const stopTicking = startTicking(deps)
  return async () => {
    clearTimeout(secondCleaning)
    await stopTicking()
    await deps.queue.close(GRACE_MS)
  }
}

function startTicking(deps: Deps): () => Promise<void> {
  let timer: NodeJS.Timeout
  let ticking = Promise.resolve()
  let isStopped = false
  let hasFailed = false
  const settleClock = watchClock(deps)
  const tick = async () => {
    try {
      await settleClock()
      await claimDueWork(deps)
      hasFailed = false
    } catch (error) {
      // Once is enough: while the disk is full, every tick fails.
      if (!hasFailed) deps.logger.error({ err: error }, 'The scheduler cannot take what is due')
      hasFailed = true
    }
    if (!isStopped) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => void (ticking = tick()), TICK_MS)
  }
  schedule()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await ticking
  }
}

/** Finds out whether the clock was put back since the last tick, or before the first one. */
function watchClock(deps: Deps): () => Promise<void> {
  let latest = Infinity
  return async () => {
    const now = deps.clock.now()
    if (now < latest - CLOCK_TOLERANCE_MS) await rescheduleAfterClockChange(deps)
    latest = now
  }
}
