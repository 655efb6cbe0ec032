import { MINUTE_MS } from '../../../../shared/durations'
import { allJobs } from '../../../all-jobs'
import type { Deps } from '../../../domain/deps'
import { LEASE_MS } from '../../../domain/lease'
import { claimDueWork } from './claim-due-work'
import { rescheduleAfterClockChange } from './clock-change'
import { recordTick } from './scheduler-ticks'

const TICK_MS = 1_000
/** Smaller steps backwards are ignored: clocks are corrected by a little all the time. */
const CLOCK_TOLERANCE_MS = MINUTE_MS
/** How long running work may take to finish when the process stops. */
const GRACE_MS = 20_000
/** Late enough that the leases of runs that died with the previous process have expired. */
const SECOND_CLEANING_AFTER_MS = LEASE_MS + 10_000

/**
 * Starts background work in this process. One tick a second claims due work in the database by
 * lease, so that any number of processes may tick at once. Also removes files left behind by dead
 * processes.
 * @returns a function that stops the ticks and lets running work finish, within 20 seconds
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
  const handleClockChange = watchClock(deps)
  const tick = async () => {
    try {
      await handleClockChange()
      await claimDueWork(deps)
      await recordTick(deps)
      hasFailed = false
    } catch (error) {
      // Logged once: while the disk is full, every tick fails.
      if (!hasFailed) deps.logger.error({ err: error }, 'The scheduler could not claim due work')
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

/** Reschedules at the first call, and whenever the clock has moved backwards since the last one. */
function watchClock(deps: Deps): () => Promise<void> {
  let latest = Infinity
  return async () => {
    const now = deps.clock.now()
    if (now < latest - CLOCK_TOLERANCE_MS) await rescheduleAfterClockChange(deps)
    latest = now
  }
}
