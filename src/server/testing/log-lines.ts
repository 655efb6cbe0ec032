import type { Level, Logger } from 'pino'

import { createLogger } from '../observability/logger'

type LogLine = Record<string, unknown> & { level: Level; msg: string }

/** The product's logger at trace level, and everything that it has written so far. */
export type LogRecorder = { logger: Logger; text(): string; lines(): LogLine[] }

/** Whether an operator should look at a line. */
export const isAlarming = ({ level }: LogLine): boolean =>
  !['trace', 'debug', 'info'].includes(level)

export function recordLog(): LogRecorder {
  const written: string[] = []
  const write = (line: string) => void written.push(line)
  return {
    logger: createLogger({ logLevel: 'trace' }, { write }),
    text: () => written.join(''),
    lines: () => written.map((line) => JSON.parse(line) as LogLine),
  }
}
