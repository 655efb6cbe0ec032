import type { Readable } from 'node:stream'

import { MINUTE_MS } from '../../shared/durations'

/** How often a reader of a backup shows that it still reads. */
const RENEW_EVERY_MS = MINUTE_MS
/** A reader that has not shown itself for so long, in milliseconds, has died. */
export const READER_LOST_MS = 10 * MINUTE_MS

/** What tells other processes that a backup is being read. Neither function throws. */
export type ReadMark = { renew(): Promise<unknown>; release(): Promise<unknown> }

/** Renews a mark until the stream is closed, and releases it then. */
export function markWhileRead(stream: Readable, { renew, release }: ReadMark): Readable {
  const timer = setInterval(() => void renew(), RENEW_EVERY_MS).unref()
  stream.once('close', () => {
    clearInterval(timer)
    void release()
  })
  return stream
}
