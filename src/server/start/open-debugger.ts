import { url } from 'node:inspector'

import type { Logger } from 'pino'

/**
 * Warns when the process was started with a debugger, such as by NODE_OPTIONS=--inspect: all programs of the
 * machine can connect to it, also the processes that read suppliers' files.
 */
export function warnOfOpenDebugger(logger: Logger): void {
  const debuggerUrl = url()
  if (debuggerUrl === undefined) return
  const { host } = new URL(debuggerUrl)
  logger.warn(
    `A debugger listens on ${host}: every program on this machine can take over this process. ` +
      'Start it without --inspect, also in NODE_OPTIONS.',
  )
}
