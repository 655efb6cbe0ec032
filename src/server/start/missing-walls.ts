import type { Logger } from 'pino'

import { findMissingWalls } from '../files/children/child-command'

/** Says at the start what the doctor says of the processes that fetch and read files. */
export function warnOfMissingWalls(logger: Logger): void {
  for (const { text, advice } of findMissingWalls()) logger.warn(`${text}. ${advice}`)
}
