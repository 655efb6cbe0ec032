import { pino, type DestinationStream, type Logger } from 'pino'

import type { Config } from '../config'
import { currentRequestId } from './log-context'

/** Where a library's error may hold what nobody else should read: Redis keeps the refused command. */
const SECRETS = [
  '*.password',
  '*.passwordHash',
  'err.command',
  'req.headers.cookie',
  'req.headers.authorization',
]

/**
 * JSON lines; readable ones on a terminal. No line carries a cookie, a password or a token, and
 * every one names the request it was written for, where there is one.
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  destination?: DestinationStream,
): Logger {
  const options = { level: config.logLevel, redact: SECRETS, mixin: readContext }
  if (destination) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options)
  const pretty = { target: 'pino-pretty', options: { ignore: 'pid,hostname' } }
  return pino({ ...options, transport: pretty })
}

function readContext(): object {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { requestId }
}
