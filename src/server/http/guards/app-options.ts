import { randomUUID } from 'node:crypto'

import { LogController, type FastifyBaseLogger } from 'fastify'
import type { Logger } from 'pino'

import type { Config } from '../../config'
import { handleClientError, toTimeLimits } from './connection-limits'

/** What all web servers that people reach have in common. */
export function toAppOptions({ trustProxy }: Pick<Config, 'trustProxy'>, logger: Logger) {
  const isBehindProxy = trustProxy.length > 0
  return {
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The logger adds the request id to every line by itself (log-context.ts).
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: () => randomUUID() as string,
    trustProxy: isBehindProxy ? trustProxy : false,
    ...toTimeLimits(isBehindProxy),
    clientErrorHandler: handleClientError,
  }
}
