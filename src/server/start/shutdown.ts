import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'

/** Includes up to 20 s for running syncs and 10 s for requests in flight. */
const STOP_WITHIN_MS = 35_000
/** On Ctrl-C the process gets the signal twice, from the terminal and from npm: it counts once. */
const SAME_SIGNAL_MS = 500

/**
 * Shuts the process down gracefully on SIGINT, SIGTERM or an uncaught error. A second signal ends
 * it at once.
 */
export function closeOnSignal(logger: Logger, close: () => Promise<void>): void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  let stoppingSince: number | undefined
  const grace = closeWithGrace(
    { delay: STOP_WITHIN_MS, logger, skip: [...signals] },
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
  for (const signal of signals) process.on(signal, onSignal)
}
