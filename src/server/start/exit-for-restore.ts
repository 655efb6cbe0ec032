import type { Logger } from 'pino'

import { STOP_WITHIN_MS } from './shutdown'

/** What supervises the process is to start it again (EX_TEMPFAIL of sysexits.h). */
const EXIT_CODE = 75

/** Finishes what is in progress, and exits because a backup replaces the data in another process. */
export function exitForRestore(logger: Logger, close: () => Promise<void>): void {
  logger.warn('A backup is being restored: this process ends, and is to be started again')
  setTimeout(() => process.exit(EXIT_CODE), STOP_WITHIN_MS).unref()
  void close()
    .catch((err: unknown) => logger.error({ err }, 'It could not be stopped in order'))
    .finally(() => process.exit(EXIT_CODE))
}
