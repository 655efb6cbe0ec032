import type { Deps } from '../../../domain/deps'
import { tickIntervalMs } from './scheduler-ticks'
import { createStallCheck } from './stall-check'

/**
 * Starts looking, in a process that serves the web, whether the scheduler of any process works.
 * Administrators are told when it does not, and when it works again.
 * @returns a function that stops this
 */
export function watchScheduler(deps: Deps): () => Promise<void> {
  const check = createStallCheck(deps)
  const stop = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let hasFailed = false
  const checkLogged = async () => {
    try {
      await check(stop.signal)
      hasFailed = false
    } catch (error) {
      if (!hasFailed) deps.logger.error({ err: error }, 'The scheduler could not be checked')
      hasFailed = true
    }
    if (!stop.signal.aborted) schedule()
  }
  const schedule = () => {
    timer = setTimeout(() => void (checking = checkLogged()), tickIntervalMs(deps.config))
  }
  let checking = checkLogged()
  return async () => {
    stop.abort(new Error('The process is stopping'))
    clearTimeout(timer)
    await checking
  }
}
