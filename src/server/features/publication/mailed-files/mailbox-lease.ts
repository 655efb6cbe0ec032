import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { inLossyTransaction } from '../../../db/open'
import type { Deps } from '../../../domain/deps'
import { keepLease, LEASE_MS } from '../../../domain/lease'
import { claimMailbox, releaseMailbox, renewMailbox } from './mailbox-leases.queries'

/** How often a mailbox is asked for that another process reads. */
const ASK_EVERY_MS = 10_000

/**
 * Has one process of all machines read a mailbox at a time, until `signal` aborts.
 * @param mailbox names it, without its password
 * @param read reads until its signal aborts: the lease was lost, or `signal` aborts
 */
export async function whileOnlyReader(
  deps: Pick<Deps, 'db' | 'clock' | 'logger'>,
  mailbox: string,
  read: (signal: AbortSignal) => Promise<void>,
  { signal, askEveryMs = ASK_EVERY_MS }: { signal: AbortSignal; askEveryMs?: number },
): Promise<void> {
  const { db, clock, logger } = deps
  const name = createHash('sha256').update(mailbox).digest('hex')
  while (!signal.aborted) {
    const leaseToken = randomUUID()
    const toLease = () => ({ mailbox: name, leaseToken, leaseUntil: clock.now() + LEASE_MS })
    try {
      const isOurs = await inLossyTransaction(db, (trx) =>
        claimMailbox(trx, toLease(), clock.now()),
      )
      if (isOurs) {
        const renew = () =>
          inLossyTransaction(db, (trx) => renewMailbox(trx, toLease(), clock.now()))
        const lease = keepLease(renew, signal)
        try {
          await read(lease.signal)
        } finally {
          lease.release()
          // A lease that cannot be released expires.
          await inLossyTransaction(db, (trx) => releaseMailbox(trx, leaseToken)).catch(
            () => undefined,
          )
        }
      }
    } catch (err) {
      logger.warn({ err }, 'The mailbox could not be asked for')
    }
    await sleep(askEveryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
