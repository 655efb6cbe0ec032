import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'

/** Includes up to 20 s for running syncs and 10 s for requests in flight. */
export const STOP_WITHIN_MS = 35_000
const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** On Ctrl-C the process gets the signal twice, from the terminal and from npm: it counts once. */
const SAME_SIGNAL_MS = 500

/** The process was told to stop before it had started. */
export class StoppedError extends Error {}

/**
 * Watches for the signals to stop, while the start waits for somebody.
 * @returns `isTold` rejects with a StoppedError at the first one; `forget` ends the watch
 */
export function watchStop(): { isTold: Promise<never>; forget(): void } {
  let stop = (): void => undefined
  const isTold = new Promise<never>((_, reject) => {
    stop = () => reject(new StoppedError('The process was told to stop'))
  })
  isTold.catch(() => undefined)
  for (const signal of SIGNALS) process.once(signal, stop)
  return { isTold, forget: () => SIGNALS.forEach((signal) => void process.off(signal, stop)) }
}

/**
 * Shuts the process down gracefully on SIGINT, SIGTERM or an uncaught error. A second signal ends
 * it at once.
 */
export function closeOnSignal(logger: Logger, close: () => Promise<void>): void {
  let stoppingSince: number | undefined
  const grace = closeWithGrace(
    { delay: STOP_WITHIN_MS, logger, skip: [...SIGNALS] },
    async ({ err }) => {
      stoppingSince = performance.now()
      if (err) logger.fatal({ err }, 'Uncaught error: shutting down')
      await close()
    },
  )
  const onSignal = () => {
    if (stoppingSince === undefined) grace.close()
    else if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
}
