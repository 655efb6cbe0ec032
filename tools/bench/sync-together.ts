import { setTimeout as sleep } from 'node:timers/promises'

import { until } from '../../src/e2e/support/rest-client'
import { inTransaction, type Db } from '../../src/server/db/open'

/** After a sync, filtered files and messages are looked for. */
const SETTLED_MS = 1_500
const POLL_MS = 100
const SYNCED_WITHIN_MS = 60_000

/** Makes connections due together, and waits until all are synced and nothing is done after it any more. */
export async function syncTogether(db: Db, ids: number[]): Promise<void> {
  const now = Date.now()
  await inTransaction(db, (trx) =>
    trx.updateTable('connections').set({ nextSyncAt: now }).where('id', 'in', ids).execute(),
  )
  const countDone = () =>
    db
      .selectFrom('connections')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('id', 'in', ids)
      .where('lastSyncAt', '>=', now)
      .executeTakeFirstOrThrow()
  await until(
    async () => {
      await sleep(POLL_MS)
      return (await countDone()).count
    },
    (done) => done === ids.length,
    SYNCED_WITHIN_MS,
  )
  await sleep(SETTLED_MS)
}
