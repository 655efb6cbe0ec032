import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino'

import type { Config } from '../config'
import { currentRequestId } from './log-context'

/** Paths of secrets in log objects. Errors of the Redis client contain the refused command. */
const SECRETS = [
  '*.password',
  '*.passwordHash',
  'err.command',
  'req.headers.cookie',
  'req.headers.authorization',
]

/**
 * Logs JSON lines, or formatted ones on a terminal. Levels are names, and times ISO 8601 in UTC. Secrets are
 * redacted, and lines written on behalf of a request contain its id.
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  destination?: DestinationStream,
): Logger {
  const options = {
    level: config.logLevel,
    formatters: { level: (level: string) => ({ level }) },
    timestamp: stdTimeFunctions.isoTime,
    redact: SECRETS,
    mixin: readContext,
  }
  if (destination) return pino(options, destination)
  if (!process.stdout.isTTY) return pino(options)
  const pretty = { target: 'pino-pretty', options: { ignore: 'pid,hostname' } }
  return pino({ ...options, transport: pretty })
}

function readContext(): object {
  const requestId = currentRequestId()
  return requestId === undefined ? {} : { requestId }
}
