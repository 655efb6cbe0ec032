import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'

/** A running sync gets 20 s of this, requests in flight 10. */
const STOP_WITHIN_MS = 35_000

/**
 * Closes the program in good order when it is asked to end, and when an error escapes everything;
 * a second signal ends it at once.
 */
export function closeOnSignal(logger: Logger, close: () => Promise<void>): void {
  closeWithGrace({ delay: STOP_WITHIN_MS, logger }, async ({ err }) => {
    if (err) logger.fatal({ err }, 'The program fails and is being closed')
    await close()
  })
}
