import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'

/** A running sync gets 20 s of this, requests in flight 10. */
const STOP_WITHIN_MS = 35_000
/** npm passes on a Ctrl-C that the terminal has sent to the program as well: that is asking once. */
const ASKED_ONCE_MS = 500

/**
 * Closes the program in good order when it is asked to end, and when an error escapes everything;
 * a second signal ends it at once.
 */
export function closeOnSignal(logger: Logger, close: () => Promise<void>): void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  let askedAt: number | undefined
  const grace = closeWithGrace(
    { delay: STOP_WITHIN_MS, logger, skip: [...signals] },
    async ({ err }) => {
      askedAt = performance.now()
      if (err) logger.fatal({ err }, 'The program fails and is being closed')
      await close()
    },
  )
  const onSignal = () => {
    if (askedAt === undefined) grace.close()
    else if (performance.now() - askedAt > ASKED_ONCE_MS) process.exit(1)
  }
  for (const signal of signals) process.on(signal, onSignal)
}
