import { pino, type Logger } from 'pino'

import type { Config } from './config'

/** JSON lines; readable ones on a terminal. No line carries a cookie, a password or a token. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  return pino({
    level: config.logLevel,
    redact: ['*.password', '*.passwordHash', 'req.headers.cookie', 'req.headers.authorization'],
    ...(process.stdout.isTTY && {
      transport: { target: 'pino-pretty', options: { ignore: 'pid,hostname' } },
    }),
  })
}
