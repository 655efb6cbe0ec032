import { setTimeout as sleep } from 'node:timers/promises'

import { createKeyedSemaphore } from '../../../concurrency/keyed-semaphore'
import { inLossyTransaction, type Db, type WriteTransaction } from '../../../db/open'
import type { Clock } from '../../../domain/deps'
import type { HostGate } from '../../../files/fetch/host-gate'
import {
  countHostRequests,
  deleteHostRequest,
  deleteUncountedHostRequests,
  insertHostRequest,
} from './host-requests.queries'

/** The limit of concurrent requests to one host, from all processes together. */
export const MAX_REQUESTS_PER_HOST = 2
/**
 * A request stops counting after this time. Otherwise one slow file would block a host that many
 * suppliers share, and a process that died would block it for ever.
 */
export const COUNTED_MS = 30_000
const POLL_EVERY_MS = 250

/**
 * Requests from the future count too, since clocks of machines differ and `now` may be read before
 * another request is stored. Those that a clock set back has left far ahead do not.
 */
export const toCountedWindow = (now: number) => ({
  after: now - COUNTED_MS,
  until: now + COUNTED_MS,
})

/** Counts the requests of each host in the database, so that the limit holds for every process. */
export function createHostGate(db: Db, clock: Clock): HostGate {
  // Keeps the order of arrival within this process: only the first in the queue polls the database.
  const queue = createKeyedSemaphore<string>(() => 1)
  return {
    async enter(host, signal) {
      const leaveQueue = await queue.acquire(host, signal)
      try {
        for (let isFull = false; ; isFull = true) {
          // Reading is cheap: a host that was full takes the write lock only when there seems to be room.
          const isWaiting = isFull && !(await hasRoom(db, host, clock.now()))
          const startedAt = clock.now()
          const id = isWaiting
            ? null
            : await inLossyTransaction(db, (trx) => tryToEnter(trx, { host, startedAt }))
          if (id !== null) return () => leaveLater(db, id)
          await sleep(POLL_EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
        }
      } finally {
        leaveQueue()
      }
    },
  }
}

/** Counts a request to a host if it may get one. @returns its id, by which it is deleted; null if it has to wait */
export async function tryToEnter(
  trx: WriteTransaction,
  { host, startedAt }: { host: string; startedAt: number },
): Promise<number | null> {
  await deleteUncountedHostRequests(trx, toCountedWindow(startedAt))
  return (await hasRoom(trx, host, startedAt)) ? insertHostRequest(trx, { host, startedAt }) : null
}

async function hasRoom(db: Db, host: string, now: number): Promise<boolean> {
  return (await countHostRequests(db, host, toCountedWindow(now))) < MAX_REQUESTS_PER_HOST
}

/** Runs in the background. If it fails, the row stops counting after `COUNTED_MS`. */
function leaveLater(db: Db, id: number): void {
  inLossyTransaction(db, (trx) => deleteHostRequest(trx, id)).catch(() => undefined)
}
