import type { Logger } from 'pino'

import { createLogger } from '../observability/logger'

type LogLine = Record<string, unknown> & { msg: string }

/** The product's logger at trace level, and everything that it has written so far. */
export type LogRecorder = { logger: Logger; text(): string; lines(): LogLine[] }

export function recordLog(): LogRecorder {
  const written: string[] = []
  const write = (line: string) => void written.push(line)
  return {
    logger: createLogger({ logLevel: 'trace' }, { write }),
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as LogLine),
  }
}
